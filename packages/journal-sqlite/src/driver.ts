import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

export type Database = Sqlite.Database;
export type Statement = Sqlite.Statement<unknown[]>;

/** The driver is native, or not there for this platform: it is loaded when a journal is opened, not when the package is imported. */
export class SqliteDriverError extends Error {
  override readonly name = 'SqliteDriverError';
  readonly code = 'sqlite_driver_missing';
}

export function loadDriver(): typeof Sqlite {
  try {
    return createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite;
  } catch (cause) {
    throw new SqliteDriverError(
      'better-sqlite3 could not be loaded: run `npm install better-sqlite3`, or use a journal without a native driver',
      { cause },
    );
  }
}

/** For how long the reader of a whole database waits inside a call for one that is just being recovered, in milliseconds. */
const READER_WAIT = 5_000;

/** A connection. A writing one has no wait of its own: SQLite would sleep inside the call and hold up the whole process. */
export function connect(driver: typeof Sqlite, file: string, mode: 'write' | 'read'): Database {
  const database = new driver(file, { timeout: mode === 'read' ? READER_WAIT : 0, readonly: mode === 'read' });
  // What a database holds is data: no view or trigger of it gets to run a function.
  database.pragma('trusted_schema = OFF');
  return database;
}
