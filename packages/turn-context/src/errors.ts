export type TurnContextErrorCode =
  /** A turn-context record stands between a tool call and its result. */
  | 'turn_context_between_call_and_result'
  /** A tool call has no result directly after its message. */
  | 'turn_context_open_tool_calls'
  /** A tool result does not directly follow the message with its call. */
  | 'turn_context_result_without_call';

/** A branch that gives no request a provider would take. */
export class TurnContextError extends Error {
  override readonly name = 'TurnContextError';
  readonly code: TurnContextErrorCode;
  constructor(code: TurnContextErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** True for a `TurnContextError` of any copy of this package. */
export function isTurnContextError(value: unknown): value is TurnContextError {
  return value instanceof Error && value.name === 'TurnContextError';
}
