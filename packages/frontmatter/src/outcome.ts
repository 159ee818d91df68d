import type { Diagnostic, Range } from '@codicil/diagnostics';

/** What a caller's schema must offer; a zod schema does. */
export interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };
}

export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

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
  /** No block, or one with nothing in it. */
  | { readonly kind: 'none'; readonly bodyStart: number; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly kind: 'data';
      readonly data: T;
      /** Byte offset of the body: the source from there to its end. */
      readonly bodyStart: number;
      /** Warnings: what is used and surely not meant. */
      readonly diagnostics: readonly Diagnostic[];
      readonly ranges: SourceRanges;
    }
  /** All faults at once. An invalid source is never `none`. */
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };
