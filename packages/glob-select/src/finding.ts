import type { Severity } from '@codicil/diagnostics';

export type GlobErrorCode =
  | 'glob_empty'
  | 'glob_absolute'
  | 'glob_backslash'
  | 'glob_parent_segment'
  | 'glob_dot_segment'
  | 'glob_empty_segment'
  | 'glob_trailing_slash'
  | 'glob_too_long';

export type GlobWarningCode = 'glob_braces' | 'glob_negation' | 'glob_suspicious' | 'glob_glued';

/** What is wrong or doubtful in one glob; in which file it stands is the caller's knowledge. */
export interface GlobFinding {
  readonly code: GlobErrorCode | GlobWarningCode;
  readonly severity: Severity;
  /** A clause in lower case, without a full stop. */
  readonly message: string;
  /** The spelling to use instead, as an imperative sentence. */
  readonly hint: string | undefined;
  /** UTF-16 offsets into the glob's text. */
  readonly span: { readonly start: number; readonly end: number };
}
