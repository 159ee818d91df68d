import type { Diagnostic, DiagnosticCode } from '@codicil/diagnostics';

declare const brand: unique symbol;

/** A glob that {@link parseGlob} accepted: segments joined by `/`, with `*`, `**` and `?`; every other character is literal. */
export type Glob = string & { readonly [brand]: 'Glob' };

/** What is wrong or doubtful in one glob, before anyone knows in which file it stands. */
export interface GlobFinding {
  readonly code: DiagnosticCode;
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  readonly hint: string | undefined;
  /** UTF-16 offsets into the glob's text. */
  readonly span: { readonly start: number; readonly end: number };
}

export type ParsedGlob =
  | { readonly kind: 'glob'; readonly glob: Glob; readonly warnings: readonly GlobFinding[] }
  | { readonly kind: 'invalid'; readonly errors: readonly GlobFinding[]; readonly warnings: readonly GlobFinding[] };
