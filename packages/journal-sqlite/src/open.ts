import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Journal, JournalError, type OpenJournalOptions, openJournal } from '@codicil/journal-records';
import { connect, type Database, loadDriver } from './driver.ts';
import { asJournalError, isBusy, isNoDatabase } from './failures.ts';
import { ensureFormat, refuseShortFile } from './format.ts';
import { SqliteStore } from './store.ts';

export interface SqliteJournalOptions extends OpenJournalOptions {
  /** The size that the file may grow to, in bytes, not counting its write-ahead log; as far as the disk goes when left out. */
  readonly maxBytes?: number | undefined;
  /** For how long a call waits while other processes write, in milliseconds; a minute when left out. */
  readonly maxWait?: number | undefined;
}

const MAX_WAIT = 60_000;

/**
 * Opens a journal in an SQLite file, and makes the file when there is none. Several processes may have it open at once.
 *
 * Rejects with `journal_unknown_format` for a file that is no journal or one of another version (it is left as it is), with `journal_corrupt` for a
 * damaged one, with `journal_write_failed` where no file can be made, and with the code `sqlite_driver_missing` when better-sqlite3 cannot be loaded.
 */
export async function openSqliteJournal(file: string, o: SqliteJournalOptions = {}): Promise<Journal> {
  const driver = loadDriver();
  const path = asPath(file);
  const maxWait = o.maxWait ?? MAX_WAIT;
  const database = await openPatiently(
    () => openDatabase(() => connect(driver, path, 'write'), path, o),
    path,
    maxWait,
  );
  const store = new SqliteStore({ file: path, database, maxWait, openReader: () => connect(driver, path, 'read') });
  return openJournal(store, o);
}

/**
 * The driver takes `''` and `:memory:` for a database that nothing keeps, and cuts blanks off the ends of a name. Absolute, every name means the
 * file of that name, and still does when the process moves to another folder.
 */
function asPath(file: string): string {
  const path = resolve(file);
  if (file !== '' && path === path.trim()) return path;
  throw new JournalError('journal_write_failed', `${JSON.stringify(file)} is no name that a journal can have`);
}

function openDatabase(open: () => Database, file: string, o: SqliteJournalOptions): Database {
  refuseShortFile(file);
  const database = open();
  try {
    ensureFormat(database, file);
    database.pragma('journal_mode = WAL');
    // FULL: the log is synced before a commit is acknowledged. The driver's default for this mode is not.
    database.pragma('synchronous = FULL');
    if (o.maxBytes !== undefined) {
      const pageSize = Number(database.pragma('page_size', { simple: true }));
      database.pragma(`max_page_count = ${Math.max(1, Math.floor(o.maxBytes / pageSize))}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function openPatiently(open: () => Database, file: string, maxWait: number): Promise<Database> {
  for (const began = performance.now(); ; ) {
    try {
      return open();
    } catch (error) {
      if (isNoDatabase(error)) {
        throw new JournalError('journal_unknown_format', `${file} is not an SQLite database`, { cause: error });
      }
      if (!isBusy(error) || performance.now() - began > maxWait) throw asJournalError(error, file, 'writing');
    }
    await setTimeout(1);
  }
}
