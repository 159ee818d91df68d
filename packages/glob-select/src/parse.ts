import type { GlobFinding } from './finding.ts';
import { findErrors } from './spelling.ts';
import { findWarnings } from './suspicion.ts';

declare const brand: unique symbol;

/** A glob that {@link parseGlob} accepted: segments joined by `/`, with `*`, `**` and `?`; every other character is literal. */
export type Glob = string & { readonly [brand]: 'Glob' };

export type ParsedGlob =
  | { readonly kind: 'glob'; readonly glob: Glob; readonly warnings: readonly GlobFinding[] }
  | { readonly kind: 'invalid'; readonly errors: readonly GlobFinding[]; readonly warnings: readonly GlobFinding[] };

/** UTF-16 code units of one glob; a longer one is refused. */
export const MAX_GLOB_LENGTH = 1_024;

/** Reads one glob. Nothing is repaired: what is misspelled is refused with the spelling to use, all faults at once. */
export function parseGlob(text: string): ParsedGlob {
  if (isPlain(text)) return { kind: 'glob', glob: text as Glob, warnings: [] };
  const errors = findErrors(text, MAX_GLOB_LENGTH);
  const isRead = text !== '' && text.length <= MAX_GLOB_LENGTH;
  const warnings = isRead ? findWarnings(text) : [];
  return errors.length > 0 ? { kind: 'invalid', errors, warnings } : { kind: 'glob', glob: text as Glob, warnings };
}

/** Names of everyday characters with operators where they belong: nothing that could be a fault or a doubt. */
const EVERYDAY = /^[\w\-.?*@$+~=#()[\]/]+$/;
/** A segment that is empty, `.` or `..`, and `**` beside other characters. */
const IRREGULAR = /(?:^|\/)\.{0,2}(?:\/|$)|\*\*[^/]|[^/]\*\*/;

/** Tells most globs at once from those that have to be looked at closely. */
function isPlain(text: string): boolean {
  return text.length <= MAX_GLOB_LENGTH && EVERYDAY.test(text) && !IRREGULAR.test(text);
}
