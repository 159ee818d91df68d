import { isJournalError, JournalError, type JournalErrorCode } from './journal.ts';

/** Failures after which what this opening knows of a session is not to be trusted any more, until it is opened again. */
const LATCHING: ReadonlySet<JournalErrorCode> = new Set([
  'journal_sync_failed',
  'journal_corrupt',
  'journal_unknown_format',
  'journal_latched',
  'journal_closed',
]);

/** Whether nothing may be appended to the session, and no request sent, before the journal is opened again. */
export function isLatching(error: unknown): error is JournalError {
  return isJournalError(error) && LATCHING.has(error.code);
}

/** Does the work; whatever a store rejects with leaves as a {@link JournalError}, with its cause. An abort leaves as it is. */
export async function attempting<T>(
  code: 'journal_read_failed' | 'journal_write_failed',
  what: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isJournalError(cause) || (signal?.aborted === true && cause === signal.reason)) throw cause;
    throw new JournalError(code, `${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
