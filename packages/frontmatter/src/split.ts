import { diagnostic } from '@codicil/diagnostics';
import { judgeOpening } from './misplaced.ts';
import type { Advise, Split } from './outcome.ts';
import { bufferOf, byteOrderMarkLength } from './text.ts';

export interface SplitOptions {
  /** Project-relative; it names the file in diagnostics. */
  readonly path: string;
  readonly maxBlockBytes: number;
  /** Keys that prove a misplaced block to be one. */
  readonly tellingKeys?: readonly string[] | undefined;
  /** Asked for the words about a block that is too large. */
  readonly advise?: Advise | undefined;
}

const NEWLINE = 10;
const RETURN = 13;
const DASH = 45;

/**
 * Finds the block between two fences:
 *
 *     ---            the very first line after one byte order mark: three dashes, then blanks or tabs
 *     paths: […]     the block
 *     ---            the first later line of that kind
 *     the body       every byte from here
 *
 * A line ends in `\n` or `\r\n`; a lone `\r` ends none. Linear in the bytes, whatever they are (F3).
 */
export function splitFrontmatter(bytes: Uint8Array, o: SplitOptions): Split {
  const buffer = bufferOf(bytes);
  const start = byteOrderMarkLength(buffer);
  const blockStart = fenceEnd(buffer, start);
  if (blockStart === -1) {
    const fault = judgeOpening(buffer, start, o.path, o.tellingKeys ?? []);
    return fault === undefined ? { kind: 'none', bodyStart: start } : { kind: 'invalid', diagnostics: [fault] };
  }
  for (let at = buffer.indexOf('\n---', blockStart - 1); at !== -1; at = buffer.indexOf('\n---', at + 1)) {
    const bodyStart = fenceEnd(buffer, at + 1);
    if (bodyStart === -1) continue;
    const blockEnd = at + 1;
    if (blockEnd - blockStart > o.maxBlockBytes) return tooLarge(blockEnd - blockStart, o);
    return { kind: 'block', blockStart, blockEnd, bodyStart };
  }
  return {
    kind: 'invalid',
    diagnostics: [
      diagnostic('frontmatter_unterminated', {
        path: o.path,
        message: 'the frontmatter is opened by `---` and never closed',
        hint: 'Close it by a line of exactly three dashes. A file that is to begin with a horizontal rule writes `***`.',
        range: OPENING_FENCE,
      }),
    ],
  };
}

/** The fence that opens a block always stands here. */
export const OPENING_FENCE = { start: { line: 1, column: 1 }, end: { line: 1, column: 4 } } as const;

function tooLarge(size: number, o: SplitOptions): Split {
  return {
    kind: 'invalid',
    diagnostics: [
      diagnostic('frontmatter_too_large', {
        path: o.path,
        message: `the frontmatter has ${size} bytes; the limit is ${o.maxBlockBytes}`,
        hint: 'Shorten it: what is long belongs into the body.',
        ...o.advise?.({ kind: 'size', text: '' }),
        range: OPENING_FENCE,
        facts: { bytes: size, maxBytes: o.maxBlockBytes },
      }),
    ],
  };
}

/** The offset behind the fence line that begins at `at`, or -1 when none does. */
function fenceEnd(buffer: Buffer, at: number): number {
  if (buffer[at] !== DASH || buffer[at + 1] !== DASH || buffer[at + 2] !== DASH) return -1;
  let end = at + 3;
  while (buffer[end] === 32 || buffer[end] === 9) end++;
  if (end === buffer.length) return end;
  if (buffer[end] === NEWLINE) return end + 1;
  return buffer[end] === RETURN && buffer[end + 1] === NEWLINE ? end + 2 : -1;
}
