import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  emptyProjection,
  isJournalError,
  type JournalEntry,
  type SessionId,
  type StoreProblem,
  type VerifyReport,
} from '@codicil/journal-records';
import { foldBranch, loadParser } from './branch.ts';
import type { Database } from './driver.ts';
import { asJournalError } from './failures.ts';
import { Rows, type Seq, type SessionRow, type StoredEntry } from './rows.ts';
import { restoreState } from './state.ts';
import type { TurnOptions } from './turns.ts';

const ENTRIES_A_PIECE = 256;
/** Broken links that are told one by one; each entry that has one is told as well. */
const MOST_LOOSE = 100;

/**
 * Reads the whole database as of one instant: its own structure, every entry, and every session's stored state against the fold of its branch.
 * What a crash left half-written in the write-ahead log was never acknowledged; SQLite drops it at the next opening, so nothing of it is found here.
 */
export async function verifyStore(openReader: () => Database, o: TurnOptions): Promise<VerifyReport> {
  const report = new Report();
  let database: Database | undefined;
  try {
    database = openReader();
    database.exec('BEGIN');
    const rows = new Rows(database);
    checkStructure(database, report);
    await checkEntries(rows, report);
    await checkSessions(rows, report);
  } catch (error) {
    report.corrupt(undefined, asJournalError(error, o.file, 'reading').message);
  } finally {
    database?.close();
  }
  return report.done();
}

/** The entries that were appended to a session itself, on all its branches. */
interface OwnEntries {
  readonly count: number;
  readonly last: Seq | null;
}

class Report {
  readonly #problems: StoreProblem[] = [];
  readonly #own = new Map<SessionId, OwnEntries>();
  #sessions = 0;
  #entries = 0;

  corrupt(sessionId: SessionId | undefined, message: string): void {
    this.#problems.push({ sessionId, kind: 'corrupt', message });
  }

  entry({ session, seq }: StoredEntry): void {
    this.#entries++;
    this.#own.set(session, { count: this.ownOf(session).count + 1, last: seq });
  }

  session(): void {
    this.#sessions++;
  }

  ownOf(sessionId: SessionId): OwnEntries {
    return this.#own.get(sessionId) ?? { count: 0, last: null };
  }

  done(): VerifyReport {
    return { sessions: this.#sessions, entries: this.#entries, problems: this.#problems };
  }
}

function checkStructure(database: Database, report: Report): void {
  const found = database.pragma('integrity_check(100)') as readonly { readonly integrity_check: string }[];
  for (const { integrity_check: said } of found) if (said !== 'ok') report.corrupt(undefined, `the database: ${said}`);
  const loose = database.pragma('foreign_key_check') as readonly { readonly table: string; readonly parent: string }[];
  for (const { table, parent } of loose.slice(0, MOST_LOOSE)) {
    report.corrupt(undefined, `a row of ${table} leads to a row of ${parent} that is not there`);
  }
}

async function checkEntries(rows: Rows, report: Report): Promise<void> {
  const parse = await loadParser();
  for (let last = 0; ; ) {
    const piece = rows.entriesAfter(last, ENTRIES_A_PIECE);
    if (piece.length === 0) return;
    for (const stored of piece) {
      report.entry(stored);
      const fault = faultOf(rows, stored, parse);
      if (fault !== undefined) report.corrupt(stored.session, `entry ${stored.id}: ${fault}`);
      last = stored.seq;
    }
    await setImmediate();
  }
}

function faultOf(rows: Rows, stored: StoredEntry, parse: (json: string) => JournalEntry): string | undefined {
  let entry: JournalEntry;
  try {
    entry = parse(stored.json);
  } catch (error) {
    return isJournalError(error) ? error.message : String(error);
  }
  const kind = entry.kind === 'unknown' ? entry.originalKind : entry.kind;
  const columns = [stored.id, stored.session, stored.depth, stored.at, stored.kind];
  if (!isDeepStrictEqual(columns, [entry.id, entry.sessionId, entry.depth, entry.at, kind])) {
    return 'its columns and its text differ';
  }
  if (rows.entryOf(entry.id)?.seq !== stored.seq) return 'its id names another place';
  const parent = stored.parent === null ? undefined : rows.entryAt(stored.parent);
  if (stored.parent !== null && parent === undefined) return 'its parent is not there';
  if ((parent?.id ?? null) !== entry.parentId) return 'its parent is another entry than its text says';
  if (entry.depth !== (parent === undefined ? 0 : parent.depth + 1)) return 'its depth is not that below its parent';
  return (stored.parent ?? 0) < stored.seq ? undefined : 'its parent was stored after it';
}

async function checkSessions(rows: Rows, report: Report): Promise<void> {
  for (const row of rows.sessions()) {
    report.session();
    const fault = await faultOfSession(rows, row, report.ownOf(row.id));
    if (fault !== undefined) report.corrupt(row.id, fault);
    await setImmediate();
  }
}

async function faultOfSession(rows: Rows, row: SessionRow, own: OwnEntries): Promise<string | undefined> {
  if (row.entries !== own.count) return `it counts ${row.entries} entries and has ${own.count}`;
  if (row.leaf !== (own.last ?? row.forked_at)) return 'its leaf is not the last entry that was appended to it';
  try {
    const read = async <T>(work: () => T): Promise<T> => work();
    const folded = row.leaf === null ? emptyProjection : await foldBranch(rows, read, row.leaf);
    const stored = restoreState(rows, row);
    return isDeepStrictEqual(stored, folded) ? undefined : 'its stored state is not what its entries say';
  } catch (error) {
    if (isJournalError(error)) return error.message;
    throw error;
  }
}
