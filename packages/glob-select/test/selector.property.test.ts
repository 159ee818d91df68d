import { anyGlobAndPath, anyGlobFor, anyGlobText, anyPath } from '@codicil/arbitraries/globs';
import { createSelector, type Glob, matchesGlob, parseGlob } from '@codicil/glob-select';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { referenceMatches } from './reference.ts';

const exact = { ignoreCase: false };

function globOf(text: string): Glob {
  const parsed = parseGlob(text);
  if (parsed.kind !== 'glob') throw new Error(`not a glob: ${text}`);
  return parsed.glob;
}

const globAndPath = () =>
  fc
    .oneof(anyGlobAndPath(), fc.record({ glob: anyGlobText(), path: anyPath() }))
    .filter(({ glob }) => parseGlob(glob).kind === 'glob');

test('G1 the selector agrees with a reference matcher on every glob and path', () => {
  fc.assert(
    fc.property(globAndPath(), ({ glob, path }) => {
      expect(matchesGlob(globOf(glob), path, exact)).toBe(referenceMatches(glob, path));
    }),
    { numRuns: 5_000 },
  );
});

test('G1 no character but `*` and `?` is an operator, wherever it stands', () => {
  const shapes = (character: string): readonly string[] => [
    character,
    `${character}?`,
    `?${character}`,
    `*${character}`,
    `${character}*`,
    `*${character}*`,
    `*x?${character}`,
    `**/${character}x?`,
  ];
  // Names that match each shape if the character stood for any one character, for any run of them, or for none.
  const others = ['', 'x', 'y', 'xy', 'yx', 'xyx', 'xyy', 'xyxy', 'yxy'];
  for (let unit = 1; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit);
    if ('/*?xy'.includes(character)) continue;
    const selector = createSelector(
      shapes(character).map((glob) => ({ id: glob, globs: [glob as Glob] })),
      exact,
    );
    for (const other of others) {
      const taken = selector.match(other);
      if (taken.length > 0) expect.fail(`${JSON.stringify(taken[0]?.glob)} matches ${other}`);
    }
  }
});

test('G1 the selector agrees with picomatch where the dialects agree', () => {
  // picomatch lets `x/**` match a file named x, and its fast paths refuse names that end in a dot.
  const comparable = globAndPath().filter(
    ({ glob, path }) =>
      /^[ab./*]+$/.test(glob) &&
      !/\*\*$|\.(\/|$)|\*\*[^/]|[^/]\*\*/.test(glob) &&
      /^[ab./]+$/.test(path) &&
      !/\.(\/|$)/.test(path),
  );
  fc.assert(
    fc.property(comparable, ({ glob, path }) => {
      expect(matchesGlob(globOf(glob), path, exact)).toBe(
        picomatch.isMatch(path, glob, { dot: true, nobrace: true, noext: true }),
      );
    }),
    { numRuns: 1_000 },
  );
});

test('G2 selecting with many globs is the union of selecting with each, in any order', () => {
  const isGlob = (text: string): boolean => parseGlob(text).kind === 'glob';
  const pathAndGlobs = anyPath().chain((path) =>
    fc.record({
      path: fc.constant(path),
      texts: fc.array(fc.oneof(anyGlobFor(path), anyGlobText()).filter(isGlob), { maxLength: 12 }),
    }),
  );
  fc.assert(
    fc.property(pathAndGlobs, fc.boolean(), ({ path, texts }, backwards) => {
      const globs = texts.map(globOf);
      if (backwards) globs.reverse();
      const together = createSelector(
        globs.map((glob, id) => ({ id, globs: [glob] })),
        exact,
      );
      const each = globs.flatMap((glob, id) => (referenceMatches(glob, path) ? [{ id, glob }] : []));
      expect(together.match(path)).toEqual(each);
      expect(together.match(path)).toEqual(each);
    }),
    { numRuns: 1_000 },
  );
});

/** Steps for one glob of `glob` characters against a path of `path` characters: the product of the two, and a little. */
function bound(glob: string, path: string): number {
  return 4 * (glob.length + 2) * (path.length + 2);
}

function stepsOf(glob: string, path: string): number {
  const selector = createSelector([{ id: 0, globs: [globOf(glob)] }], exact);
  selector.match(path);
  return selector.steps;
}

test('G3 the work of matching is bounded by pattern times path', () => {
  fc.assert(
    fc.property(globAndPath(), fc.integer({ min: 1, max: 20 }), ({ glob, path }, times) => {
      const longGlob = Array.from({ length: times }, () => glob)
        .join('/')
        .slice(0, 1_000)
        .replace(/\/+$/, '');
      const longPath = Array.from({ length: times }, () => path).join('/');
      if (parseGlob(longGlob).kind !== 'glob') return;
      expect(stepsOf(longGlob, longPath)).toBeLessThanOrEqual(bound(longGlob, longPath));
    }),
    { numRuns: 500 },
  );
});

const hostile: readonly (readonly [name: string, glob: string, path: string])[] = [
  ['many stars against one long name', `${'*a'.repeat(120)}b*`, 'a'.repeat(4_096)],
  ['many stars that end in a miss', `${'a*'.repeat(120)}c*`, 'a'.repeat(4_096)],
  ['many globstars against a deep path', `${'**/a/'.repeat(50)}b`, 'a/'.repeat(2_000).concat('a')],
  ['globstars and stars together', `${'**/*a*/'.repeat(36)}b`, 'aa/'.repeat(1_300).concat('c')],
  ['questions against characters of two units', `${'?*'.repeat(120)}b*`, '😀'.repeat(2_000)],
];

for (const [name, glob, path] of hostile) {
  test(`G3 ${name} take no more than pattern times path`, () => {
    expect(stepsOf(glob, path)).toBeLessThanOrEqual(bound(glob, path));
  });
}
