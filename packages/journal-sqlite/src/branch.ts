import { setImmediate } from 'node:timers/promises';
import { JournalError, type Scanned, type SessionId, type StoredEntry } from '@codicil/journal-records';
import { isCorrupt } from './failures.ts';
import type { ReadRow, Rows, Seq } from './rows.ts';

/** Entries are never changed, so a branch can be read piece by piece while others append. */
const ENTRIES_A_PIECE = 256;
/** UTF-16 units after which a piece is handed on, so that a few large entries do not add up. */
const TEXT_A_PIECE = 1 << 20;

type Read = <T>(work: () => T) => Promise<T>;

/** The entries from one on to the first of its branch, or down to a depth, newest first. */
export async function* walkBranch(rows: Rows, read: Read, from: Seq, downTo: number): AsyncGenerator<StoredEntry> {
  for (let next: Seq | null = from; next !== null; ) {
    const start: Seq = next;
    const piece = await read(() => readPiece(rows, start, downTo));
    next = piece.next;
    yield* piece.entries;
    await setImmediate();
  }
}

function readPiece(rows: Rows, start: Seq, downTo: number) {
  const entries: StoredEntry[] = [];
  let text = 0;
  let next: Seq | null = start;
  while (next !== null && entries.length < ENTRIES_A_PIECE && text < TEXT_A_PIECE) {
    const row: ReadRow = rows.entryAt(next) ?? missing(next);
    entries.push(asStored(row));
    text += row.body.length;
    next = row.depth <= downTo ? null : row.parent;
  }
  return { entries, next };
}

/** Throws `journal_corrupt` for a row whose link to its parent is broken. Each leads to one that was stored before: in a damaged file too, a branch has an end. */
export function asStored({ seq, id, parent, parentId, depth, body, snapshot }: ReadRow): StoredEntry {
  if (parent !== null && parent >= seq) {
    throw new JournalError('journal_corrupt', `entry ${id} leads to one that was stored after it`);
  }
  if (parent !== null && parentId === null) missing(parent);
  return { id, parentId, depth, body, ...(snapshot === null ? {} : { snapshot }) };
}

/** The entries of a session by the index of sessions, so that a page which cannot be read hides no entry on another one. */
export async function* scanSession(rows: Rows, read: Read, session: SessionId): AsyncGenerator<Scanned> {
  for (let last = 0; ; ) {
    const after = last;
    let seqs: readonly Seq[];
    try {
      seqs = await read(() => rows.ownSeqs(session, after, ENTRIES_A_PIECE));
    } catch (error) {
      yield damageIn(error);
      return;
    }
    for (const seq of seqs) {
      yield await read(() => asStored(rows.entryAt(seq) ?? missing(seq))).then(
        (stored): Scanned => ({ kind: 'entry', stored }),
        damageIn,
      );
      if (seq <= last) {
        yield { kind: 'damage', message: `the entries of session ${session} are listed out of order` };
        return;
      }
      last = seq;
    }
    if (seqs.length < ENTRIES_A_PIECE) return;
    await setImmediate();
  }
}

function damageIn(error: unknown): Scanned {
  if (!isCorrupt(error)) throw error;
  return { kind: 'damage', message: (error as JournalError).message };
}

function missing(seq: Seq): never {
  throw new JournalError('journal_corrupt', `entry ${seq} is not there, and another one leads to it`);
}
