export type ActivationErrorCode =
  /** A text that is no rendered instruction record. */
  | 'activation_malformed_text'
  /** The journal failed for good: no request may be composed until the session is opened again. */
  | 'activation_persistence_latched';

export class ActivationError extends Error {
  override readonly name = 'ActivationError';
  readonly code: ActivationErrorCode;
  constructor(code: ActivationErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** True for an `ActivationError` of any copy of this package. */
export function isActivationError(value: unknown): value is ActivationError {
  return value instanceof Error && value.name === 'ActivationError';
}
