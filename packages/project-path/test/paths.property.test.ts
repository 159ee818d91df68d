import { posix, win32 } from 'node:path';
import { anyName } from '@codicil/arbitraries/names';
import {
  baseName,
  compareCodePoints,
  depthOf,
  foldersAbove,
  isInside,
  joinPath,
  type PathRules,
  type ProjectPath,
  parentOf,
  parseProjectPath,
  within,
} from '@codicil/project-path';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** Segments that a parser trips over beside ordinary ones, and few of them, so that paths meet. */
function anySegment(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      'a',
      'b',
      'A',
      '.',
      '..',
      '',
      '...',
      '..a',
      'a.',
      '.git',
      'C:',
      'ü',
      'u\u0308',
      'İ',
      '\uFFFD',
      '\u{1F600}',
      'a\\b',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
    anyName(),
  );
}

function anyPathText(separators: readonly string[]): fc.Arbitrary<string> {
  const step = fc.tuple(anySegment(), fc.constantFrom(...separators));
  const start = fc.constantFrom(
    '',
    '',
    '/p/',
    '/',
    '../',
    ...(separators.length > 1 ? ['C:\\p\\', 'c:/P/', '\\', 'D:\\', '\\\\s\\h\\'] : []),
  );
  return fc.tuple(start, fc.array(step, { maxLength: 5 })).map(([head, steps]) => head + steps.flat().join(''));
}

function anyProjectPath(): fc.Arbitrary<ProjectPath> {
  return fc
    .array(anySegment(), { maxLength: 5 })
    .map((segments) => parseProjectPath(segments.join('/')))
    .filter((path) => path !== undefined);
}

test('a text is a project path when each of its segments is a name', () => {
  fc.assert(
    fc.property(anyPathText(['/']), (text) => {
      const isName = (segment: string): boolean => !['', '.', '..'].includes(segment) && !segment.includes('\0');
      const expected = text === '' || text.split('/').every(isName) ? text : undefined;
      expect(parseProjectPath(text)).toBe(expected);
    }),
  );
});

test('a path is its parent joined with its name', () => {
  fc.assert(
    fc.property(anyProjectPath(), (path) => {
      const parent = parentOf(path);
      const segments = path === '' ? [] : path.split('/');
      expect(depthOf(path)).toBe(segments.length);
      expect(foldersAbove(path)).toEqual(
        segments.slice(0, -1).map((_, index) => segments.slice(0, index + 1).join('/')),
      );
      if (parent !== undefined) expect(joinPath(parent, baseName(path))).toBe(path);
      for (const folder of foldersAbove(path)) expect(isInside(folder, path)).toBe(true);
    }),
  );
});

test('a path is inside a folder when its segments begin with those of the folder', () => {
  fc.assert(
    fc.property(anyProjectPath(), anyProjectPath(), (folder, path) => {
      const [outer, inner] = [folder, path].map((each) => (each === '' ? [] : each.split('/'))) as [string[], string[]];
      expect(isInside(folder, path)).toBe(outer.every((segment, index) => inner[index] === segment));
    }),
  );
});

test('the order is that of the lists of code points', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      'a',
      '\uD7FF',
      '\uD83D',
      '\uD83E',
      '\uDE00',
      '\uE000',
      '\uFFFF',
      '\u{10000}',
      '\u{1F600}',
      '\u{10FFFF}',
    ),
    fc.string({ unit: 'binary', maxLength: 1 }),
  );
  const text = fc.array(unit, { maxLength: 5 }).map((units) => units.join(''));
  fc.assert(
    fc.property(text, text, (left, right) => {
      const [a, b] = [left, right].map((each) => Array.from(each, (char) => char.codePointAt(0) ?? 0)) as [
        number[],
        number[],
      ];
      const index = a.findIndex((point, at) => point !== b[at]);
      const expected = index === -1 ? a.length - b.length : (a[index] ?? 0) - (b[index] ?? -1);
      expect(Math.sign(compareCodePoints(left, right))).toBe(Math.sign(expected));
    }),
    { numRuns: 1_000 },
  );
});

function relativeByNode(root: string, path: string, { platform }: PathRules): string | undefined {
  const { resolve, relative, isAbsolute, sep } = platform === 'win32' ? win32 : posix;
  const answer = relative(root, resolve(root, path));
  if (answer === '..' || answer.startsWith(`..${sep}`) || isAbsolute(answer)) return undefined;
  if (platform === 'win32' && answer.includes(':')) return undefined;
  return answer.split(sep).join('/');
}

test('on POSIX a path lies within where relative() leads down', () => {
  const rules: PathRules = { platform: 'posix', ignoreCase: false };
  fc.assert(
    fc.property(fc.constantFrom('/', '/p', '/p/a', '/p/../p'), anyPathText(['/']), (root, path) => {
      fc.pre(!path.includes('\0'));
      expect(within(root, path, rules)).toBe(relativeByNode(root, path, rules));
    }),
    { numRuns: 500 },
  );
});

test('on Windows a path lies within where relative() leads down', () => {
  const rules: PathRules = { platform: 'win32', ignoreCase: true };
  const roots = fc.constantFrom('C:\\', 'C:\\p', 'c:/p/a', '\\\\s\\h', '\\\\s\\h\\p');
  fc.assert(
    fc.property(roots, anyPathText(['/', '\\']), (root, path) => {
      // node:path compares lengths after lower-casing, which is wrong for letters that grow; and `C:a` needs a current folder.
      fc.pre(!path.includes('\0') && path.toLowerCase().length === path.length && !/^[A-Za-z]:(?![\\/])/.test(path));
      expect(within(root, path, rules)).toBe(relativeByNode(root, path, rules));
    }),
    { numRuns: 500 },
  );
});

test('what lies within is a project path, and itself lies within at the same place', () => {
  const rules = fc.constantFrom<PathRules>(
    { platform: 'posix', ignoreCase: false },
    { platform: 'posix', ignoreCase: true },
    { platform: 'win32', ignoreCase: true },
    { platform: 'win32', ignoreCase: false },
  );
  fc.assert(
    fc.property(rules, anyPathText(['/', '\\']), (each, path) => {
      const root = each.platform === 'win32' ? 'C:\\p' : '/p';
      const inside = within(root, path, each);
      if (inside === undefined) return;
      expect(parseProjectPath(inside)).toBe(inside);
      expect(within(root, inside === '' ? '.' : `./${inside}`, each)).toBe(inside);
    }),
    { numRuns: 500 },
  );
});
