import { statSync } from 'node:fs';
import { JournalError } from '@codicil/journal-records';
import type { Database } from './driver.ts';
import { summedTotals } from './sums.ts';

/** "CDCL": tells a journal from any other database. */
const APPLICATION_ID = 0x4344434c;
const VERSION = 2;

/**
 * `seq` is where an entry is stored; its parent is always stored before it, maybe by another session. What a `body` says, its id proves. `sessions` tells where each session
 * stands, and `totals` how many there are: they are proved by sums. `snapshots` are shortcuts that may be lost.
 */
const TABLES: readonly string[] = [
  `CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session TEXT NOT NULL,
  parent INTEGER,
  depth INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT`,
  'CREATE INDEX entries_by_session ON entries (session)',
  `CREATE TABLE snapshots (
  seq INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT`,
  'CREATE INDEX snapshots_by_session ON snapshots (session)',
  `CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  entries INTEGER NOT NULL,
  leaf INTEGER,
  forked_from TEXT,
  forked_at INTEGER,
  sum TEXT NOT NULL
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE totals (
  sessions INTEGER NOT NULL,
  sum TEXT NOT NULL
) STRICT`,
];

/** SQLite takes a file shorter than its smallest page for an empty one, and would write over it. */
const SMALLEST_PAGE = 512;

/** Throws `journal_unknown_format` for a file that is too short to be a database and yet holds something. */
export function refuseShortFile(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && size < SMALLEST_PAGE) throw unknown(`${file} is not an SQLite database`);
}

/** Makes the tables in an empty file. Throws `journal_unknown_format`, and changes nothing, when the file holds anything else but a journal. */
export function ensureFormat(database: Database, file: string): void {
  if (readFormat(database, file) === 'journal') return;
  database.pragma('journal_mode = WAL');
  // Another process may be making them at the same time: look again once nobody else can write.
  database
    .transaction(() => {
      if (readFormat(database, file) === 'empty') createTables(database);
    })
    .immediate();
}

function createTables(database: Database): void {
  for (const table of TABLES) database.exec(table);
  const { sessions, sum } = summedTotals(0);
  database.prepare('INSERT INTO totals (sessions, sum) VALUES (?, ?)').run(sessions, sum);
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${VERSION}`);
}

function readFormat(database: Database, file: string): 'empty' | 'journal' {
  const applicationId = database.pragma('application_id', { simple: true });
  const version = database.pragma('user_version', { simple: true });
  const tables = database.prepare('SELECT name, rootpage, sql FROM sqlite_schema').all() as readonly TableRow[];
  if (applicationId === APPLICATION_ID) {
    if (version === VERSION) return checkTables(tables, file);
    const origin = Number(version) < VERSION ? 'made by an earlier pre-release' : 'made by a later version';
    throw unknown(`${file} is a journal of format ${version}, ${origin}: this version reads format ${VERSION}`);
  }
  if (applicationId === 0 && version === 0 && tables.length === 0) return 'empty';
  throw unknown(`${file} is a database of something else, not a journal`);
}

interface TableRow {
  readonly rootpage: number;
  readonly sql: string | null;
}

/** A statement on other tables than these could tell wrong things, or write one table over another. */
function checkTables(tables: readonly TableRow[], file: string): 'journal' {
  const made = new Set(tables.map(({ sql }) => sql));
  const areOurs = TABLES.every((sql) => made.has(sql));
  const roots = new Set(tables.map(({ rootpage }) => rootpage));
  if (areOurs && roots.size === tables.length) return 'journal';
  throw new JournalError('journal_corrupt', `the tables of ${file} are not those of a journal: restore it from a copy`);
}

function unknown(message: string): JournalError {
  return new JournalError('journal_unknown_format', message);
}
