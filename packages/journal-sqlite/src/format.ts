import { statSync } from 'node:fs';
import { JournalError } from '@codicil/journal-records';
import type { Database } from './driver.ts';

/** "CDCL": tells a journal from any other database. */
const APPLICATION_ID = 0x4344434c;
const VERSION = 1;

/**
 * `sessions` holds a row a session with the small part of its projection at the leaf, `startup` and `active` the parts that go by path: the latest
 * version above the floor. They are written together with the entry, so a session is restored by its key, however long it is. `seq` is where an
 * entry is stored, and its id begins with it; its parent is always stored before it, maybe by another session.
 */
const SCHEMA = `
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  session TEXT NOT NULL REFERENCES sessions (id),
  parent INTEGER REFERENCES entries (seq),
  depth INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT;
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  entries INTEGER NOT NULL,
  leaf INTEGER REFERENCES entries (seq),
  leaf_id TEXT,
  depth INTEGER NOT NULL,
  floor INTEGER NOT NULL,
  state TEXT NOT NULL,
  forked_from TEXT REFERENCES sessions (id),
  forked_at INTEGER REFERENCES entries (seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE startup (
  session TEXT PRIMARY KEY REFERENCES sessions (id),
  modules TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE active (
  session TEXT NOT NULL REFERENCES sessions (id),
  path TEXT NOT NULL,
  sha256 TEXT,
  entry TEXT NOT NULL,
  depth INTEGER NOT NULL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${VERSION};
`;

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
      if (readFormat(database, file) === 'empty') database.exec(SCHEMA);
    })
    .immediate();
}

function readFormat(database: Database, file: string): 'empty' | 'journal' {
  const applicationId = database.pragma('application_id', { simple: true });
  const version = database.pragma('user_version', { simple: true });
  const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (applicationId === APPLICATION_ID) {
    if (version === VERSION) return 'journal';
    throw unknown(`${file} is a journal of format ${version}, and this version reads format ${VERSION}`);
  }
  if (applicationId === 0 && version === 0 && tables === 0) return 'empty';
  throw unknown(`${file} is a database of something else, not a journal`);
}

function unknown(message: string): JournalError {
  return new JournalError('journal_unknown_format', message);
}
