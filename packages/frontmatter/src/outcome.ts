import type { Diagnostic, DiagnosticCode, Range } from '@codicil/diagnostics';

/** Where the block ends in the bytes of a source, without looking into it. */
export type Split =
  /** No block: the body is everything but a byte order mark. */
  | { readonly kind: 'none'; readonly bodyStart: number }
  | { readonly kind: 'block'; readonly blockStart: number; readonly blockEnd: number; readonly bodyStart: number }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

/** Where the values stand in the source file; worked out when asked. */
export interface SourceRanges {
  /** The name of a key at the root. */
  key(key: string): Range | undefined;
  /** An item of a list under a key at the root, its quotes included. */
  item(key: string, index: number): Range | undefined;
  /** From `start` up to `end`, UTF-16 offsets in the item's text; the whole item where its text is not written as it reads (escapes, folds). */
  span(key: string, index: number, start: number, end: number): Range | undefined;
}

export type Frontmatter<T> =
  /** No block, or one with nothing in it: comments, `{}`, a null. */
  | ({ readonly kind: 'none'; readonly diagnostics: readonly Diagnostic[] } & Body)
  | ({
      readonly kind: 'data';
      readonly data: T;
      /** Warnings: what is used and surely not meant. */
      readonly diagnostics: readonly Diagnostic[];
      readonly ranges: SourceRanges;
    } & Body)
  /** All faults at once. An invalid source is never `none`. */
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

/** The text behind the block. */
export interface Body {
  /** Byte offset of the body: the source from there to its end. */
  readonly bodyStart: number;
  /** The body, every character as in the source; decoded from the bytes when asked. */
  readonly body: string;
}

/** How an issue of the caller's schema, or a value that a comment cuts, is told. */
export interface IssueDescription {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A place where YAML reads something else than what was probably meant, or a block over its cap. */
export interface Slip {
  readonly kind: 'alias' | 'map' | 'escape' | 'size';
  /** The word that stands there, at most its beginning. */
  readonly text: string;
}

/** The words that suit what the caller's values are; the code and the place stay. */
export interface Advice {
  readonly message?: string;
  readonly hint: string;
}

export type Advise = (slip: Slip) => Advice | undefined;
