import type { SessionId } from './entry.ts';
import { JournalError } from './journal.ts';

/** The text as a session id, or `undefined` when it is not one. */
export function parseSessionId(text: string): SessionId | undefined {
  return typeof text === 'string' && /^[\w-][\w.-]{0,199}$/.test(text) ? (text as SessionId) : undefined;
}

/** The text as a session id; throws `journal_invalid_session_id` when it is not one. */
export function sessionId(text: string): SessionId {
  const id = parseSessionId(text);
  if (id !== undefined) return id;
  throw new JournalError(
    'journal_invalid_session_id',
    `${JSON.stringify(text)} is not a session id: use 1 to 200 characters of A-Z a-z 0-9 . _ - that do not begin with a dot`,
  );
}
