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

/** A failure in the words of the contract; a `JournalError` as it is. */
export function asJournalError(error: unknown, file: string, doing: 'reading' | 'writing'): JournalError {
  if (isJournalError(error)) return error;
  const cause = { cause: error };
  const said = error instanceof Error ? error.message : String(error);
  // The statements are fixed: one that the database does not take, or whose row it refuses, has met other tables than ours.
  if (/^SQLITE_(CORRUPT|NOTADB|ERROR|CONSTRAINT)/.test(sqliteCode(error))) {
    return new JournalError('journal_corrupt', `${file} is damaged (${said}): restore it from a copy`, cause);
  }
  return doing === 'writing'
    ? new JournalError('journal_write_failed', `writing to ${file} failed: ${said}`, cause)
    : new JournalError('journal_corrupt', `${file} cannot be read: ${said}`, cause);
}
