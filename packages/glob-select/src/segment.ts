/** One segment of a glob with wildcards, ready to be matched. */
export interface SegmentPattern {
  /** Code points; {@link STAR} and {@link ANY} stand for the operators. */
  readonly points: readonly number[];
  /** The fewest code points that a segment must have. */
  readonly least: number;
  /** The text of `*text*`, which is looked for by the machine's own search; `undefined` for every other form. */
  readonly infix: string | undefined;
  /** The pass in which it was last held against a segment, and whether it fitted. */
  pass: number;
  fits: boolean;
}

export const STAR = -1;
export const ANY = -2;
/** Equal to no code point. */
const END = -3;

export function compileSegment(text: string): SegmentPattern {
  const points: number[] = [];
  for (const character of text) {
    if (character === '*') {
      if (points.at(-1) !== STAR) points.push(STAR);
    } else points.push(character === '?' ? ANY : (character.codePointAt(0) ?? 0));
  }
  const least = points.reduce((count, point) => (point === STAR ? count : count + 1), 0);
  return { points, least, infix: infixOf(text), pass: 0, fits: false };
}

/** Halves of characters at the ends are left to the walk over whole ones. */
function infixOf(text: string): string | undefined {
  const inner = text.slice(1, -1);
  if (text.length < 3 || text[0] !== '*' || text.at(-1) !== '*' || hasWildcard(inner)) return undefined;
  return /^[\ud800-\udfff]|[\ud800-\udfff]$/.test(inner) ? undefined : inner;
}

/** Whether a pattern can be ruled out by a segment's length, or by its first or its last character. */
export function isRuledOut(pattern: SegmentPattern, segment: readonly number[]): boolean {
  const { points, least } = pattern;
  if (segment.length < least) return true;
  const first = points[0] ?? END;
  if (first >= 0 && first !== segment[0]) return true;
  const last = points[points.length - 1] ?? END;
  return last >= 0 && last !== segment[segment.length - 1];
}

export function hasWildcard(segment: string): boolean {
  return segment.includes('*') || segment.includes('?');
}

/** The work that matching has taken so far, in comparisons of a character or steps to a node. */
export interface Work {
  steps: number;
}

/**
 * Whether a segment matches: the greedy two-pointer walk. On a mismatch only the latest star takes one character more, so the work is at most the
 * product of the two lengths, whatever the pattern.
 */
export function matchesSegment(pattern: readonly number[], segment: readonly number[], work: Work): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let taken = 0;
  while (next < segment.length) {
    work.steps++;
    const wanted = at < pattern.length ? pattern[at] : END;
    if (wanted === STAR) {
      star = at++;
      taken = next;
    } else if (wanted === ANY || wanted === segment[next]) {
      at++;
      next++;
    } else if (star !== -1) {
      at = star + 1;
      next = ++taken;
    } else return false;
  }
  while (pattern[at] === STAR) at++;
  return at === pattern.length;
}

/** The code points of a segment; a surrogate without its partner counts as one. */
export function pointsOf(segment: string): readonly number[] {
  const points: number[] = [];
  for (let index = 0; index < segment.length; index++) {
    const point = segment.codePointAt(index) ?? 0;
    if (point > 0xffff) index++;
    points.push(point);
  }
  return points;
}
