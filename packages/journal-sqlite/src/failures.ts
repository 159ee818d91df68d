import { isJournalError, JournalError } from '@codicil/journal-records';

/** The code that SQLite gives a failure (`SQLITE_FULL`, `SQLITE_IOERR_FSYNC`); `''` for a failure of another kind. */
function sqliteCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

/** Another connection is in the way: nothing was done, and the same call may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error));
}

export function isNoDatabase(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_NOTADB';
}

export function isCorrupt(error: unknown): boolean {
  return isJournalError(error) && error.code === 'journal_corrupt';
}

/** What was going on: `committing` is the moment in which everything that was written is brought to the disk. */
export type Doing = 'reading' | 'writing' | 'committing';

/** The statements are fixed: one that the database does not take, or whose row it refuses, has met other tables than ours. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|ERROR|CONSTRAINT|MISMATCH|FORMAT|IOERR_(DATA|CORRUPTFS)$)/;

/** A failure in the words of the contract; a `JournalError` as it is. */
export function asJournalError(error: unknown, file: string, doing: Doing): JournalError {
  if (isJournalError(error)) return error;
  const cause = { cause: error };
  const said = error instanceof Error ? error.message : String(error);
  const code = sqliteCode(error);
  // Nothing that was stored is larger than SQLite reads: a length beyond it is no length.
  if (DAMAGE.test(code) || (code === 'SQLITE_TOOBIG' && doing === 'reading')) {
    return new JournalError('journal_corrupt', `${file} is damaged (${said}): restore it from a copy`, cause);
  }
  if (doing === 'reading') return new JournalError('journal_read_failed', `${file} cannot be read: ${said}`, cause);
  return doing === 'committing' && /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(code)
    ? new JournalError('journal_sync_failed', `the disk did not confirm what was written to ${file}: ${said}`, cause)
    : new JournalError('journal_write_failed', `writing to ${file} failed: ${said}`, cause);
}
