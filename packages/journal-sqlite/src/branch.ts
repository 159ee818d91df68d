import { setImmediate } from 'node:timers/promises';
import { BranchFold, type JournalEntry, JournalError, type Projection } from '@codicil/journal-records';
import type { EntryRow, Rows, Seq, StoredBody } from './rows.ts';

/** Entries are never changed, so a branch can be read piece by piece while others append. */
const ENTRIES_A_PIECE = 256;
/** UTF-16 units of JSON after which a piece is handed on, so that a few large entries do not add up. */
const TEXT_A_PIECE = 1 << 20;

type Read = <T>(work: () => T) => Promise<T>;

/** `parseEntry` brings a schema library along: it is loaded when the first entry is read back, not at the opening. */
export async function loadParser(): Promise<(json: string) => JournalEntry> {
  const { parseEntry } = await import('@codicil/journal-records/schema');
  return (json) => {
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch (cause) {
      throw new JournalError('journal_corrupt', 'an entry is not JSON', { cause });
    }
    return parseEntry(value);
  };
}

/** The entries from one on to the first of its branch, newest first. */
export async function* walkBranch(rows: Rows, read: Read, from: Seq | null): AsyncGenerator<JournalEntry> {
  if (from === null) return;
  const parse = await loadParser();
  for (let next: Seq | null = from; next !== null; ) {
    const start: Seq = next;
    const piece = await read(() => readPiece(rows, start));
    next = piece.next;
    for (const json of piece.jsons) yield parse(json);
    await setImmediate();
  }
}

function readPiece(rows: Rows, start: Seq): { readonly jsons: readonly string[]; readonly next: Seq | null } {
  const jsons: string[] = [];
  let text = 0;
  let next: Seq | null = start;
  while (next !== null && jsons.length < ENTRIES_A_PIECE && text < TEXT_A_PIECE) {
    const stored: StoredBody = rows.jsonAt(next) ?? missing(next);
    jsons.push(stored.json);
    text += stored.json.length;
    next = parentOf(next, stored);
  }
  return { jsons, next };
}

/** The projection of the branch that ends in an entry, folded from its entries. */
export async function foldBranch(rows: Rows, read: Read, leaf: Seq): Promise<Projection> {
  const parse = await loadParser();
  const path: Seq[] = [];
  for (let next: Seq | null = leaf; next !== null; ) {
    const start: Seq = next;
    next = await read(() => climb(rows, start, path));
    await setImmediate();
  }
  const fold = new BranchFold();
  while (path.length > 0) {
    await read(() => {
      let text = 0;
      for (let count = 0; count < ENTRIES_A_PIECE && text < TEXT_A_PIECE; count++) {
        const seq = path.pop();
        if (seq === undefined) return;
        const { json } = rows.jsonAt(seq) ?? missing(seq);
        text += json.length;
        fold.add(parse(json));
      }
    });
    await setImmediate();
  }
  return fold.projection();
}

/** Adds a piece of the way to the first entry; where to go on, or `null` at its end. */
function climb(rows: Rows, start: Seq, path: Seq[]): Seq | null {
  let next: Seq | null = start;
  for (let count = 0; next !== null && count < ENTRIES_A_PIECE; count++) {
    path.push(next);
    next = parentOf(next, rows.entryAt(next) ?? missing(next));
  }
  return next;
}

/** The entry at a depth on the branch that ends in `from`; `undefined` when the branch is shorter. */
export function ancestorAt(rows: Rows, from: Seq | null, depth: number): EntryRow | undefined {
  let seq = from;
  while (seq !== null) {
    const row: EntryRow = rows.entryAt(seq) ?? missing(seq);
    if (row.depth <= depth) return row.depth === depth ? row : undefined;
    seq = parentOf(seq, row);
  }
  return undefined;
}

/** Each step leads to an entry that was stored before: in a damaged file too, a branch has an end. */
function parentOf(seq: Seq, { parent }: { readonly parent: Seq | null }): Seq | null {
  if (parent === null || parent < seq) return parent;
  throw new JournalError('journal_corrupt', `entry ${seq} leads to entry ${parent}, which was stored after it`);
}

function missing(seq: Seq): never {
  throw new JournalError('journal_corrupt', `a branch leads to entry ${seq}, which is not there`);
}
