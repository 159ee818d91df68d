/** One segment of a glob with wildcards, ready to be matched. */
export interface SegmentPattern {
  /** Code points; {@link STAR} and {@link ANY} stand for the operators. */
  readonly points: readonly number[];
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
  return { points, pass: 0, fits: false };
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
