export type SessionErrorCode =
  /** `request` before `start`. */
  | 'session_not_started'
  /** A call of the last answer has no result yet. */
  | 'session_open_tool_calls'
  /** There are not that many requests on the branch. */
  | 'session_no_such_request'
  /** Another writer appended in between. */
  | 'session_moved_on'
  /** A message could not be recorded. */
  | 'session_persistence_latched';

export class SessionError extends Error {
  override readonly name = 'SessionError';
  readonly code: SessionErrorCode;
  constructor(code: SessionErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** True for a `SessionError` of any copy of this package. */
export function isSessionError(value: unknown): value is SessionError {
  return value instanceof Error && value.name === 'SessionError';
}
