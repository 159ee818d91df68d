import {
  baseName,
  compareCodePoints,
  depthOf,
  foldersAbove,
  isInside,
  joinPath,
  type ProjectPath,
  parentOf,
  parseProjectPath,
  ROOT,
} from '@codicil/project-path';
import { expect, test } from 'vitest';

const deep = 'packages/api/src/a.ts' as ProjectPath;

test.each([
  'a',
  'a/b',
  '.elowen/rules/x.md',
  '...',
  '..a',
  'a.',
  ' ',
  'a b',
  'a\\b',
  'C:',
  'ü/u\u0308',
  'a\nb',
  '__proto__',
])('%j is a project path', (text) => {
  expect(parseProjectPath(text)).toBe(text);
});

test.each(['/', '/a', 'a/', 'a//b', '.', './a', 'a/.', 'a/./b', '..', '../a', 'a/..', 'a/../b', 'a\0b', '\0'])(
  '%j is none, and is not repaired',
  (text) => {
    expect(parseProjectPath(text)).toBeUndefined();
  },
);

test('the root is the empty path', () => {
  expect(parseProjectPath('')).toBe(ROOT);
  expect(depthOf(ROOT)).toBe(0);
  expect(baseName(ROOT)).toBe('');
  expect(parentOf(ROOT)).toBeUndefined();
  expect(foldersAbove(ROOT)).toEqual([]);
});

test('a path has a name, a parent, a depth and the folders above it', () => {
  expect(baseName(deep)).toBe('a.ts');
  expect(parentOf(deep)).toBe('packages/api/src');
  expect(parentOf('a' as ProjectPath)).toBe(ROOT);
  expect(depthOf(deep)).toBe(4);
  expect(foldersAbove(deep)).toEqual(['packages', 'packages/api', 'packages/api/src']);
  expect(joinPath(ROOT, 'a')).toBe('a');
  expect(joinPath(deep, 'b')).toBe('packages/api/src/a.ts/b');
});

test('a folder holds itself and what is below it, not what merely begins alike', () => {
  const folder = 'src/api' as ProjectPath;
  expect(isInside(folder, folder)).toBe(true);
  expect(isInside(folder, 'src/api/x' as ProjectPath)).toBe(true);
  expect(isInside(folder, 'src/apix' as ProjectPath)).toBe(false);
  expect(isInside(folder, 'src' as ProjectPath)).toBe(false);
  expect(isInside(ROOT, ROOT)).toBe(true);
  expect(isInside(ROOT, folder)).toBe(true);
  expect(isInside(folder, ROOT)).toBe(false);
});

test('the order is that of code points, where UTF-16 units would say otherwise', () => {
  expect(compareCodePoints('\uFFFD', '\u{1F600}')).toBeLessThan(0);
  expect('\uFFFD' < '\u{1F600}').toBe(false);
  expect(['b', 'a/b', 'B', 'a', 'a-b', 'ä', ''].sort(compareCodePoints)).toEqual([
    '',
    'B',
    'a',
    'a-b',
    'a/b',
    'b',
    'ä',
  ]);
});

test('half of a surrogate pair is a code point of its own, below those that pairs stand for', () => {
  expect(compareCodePoints('\uD83D', '\uE000')).toBeLessThan(0);
  expect(compareCodePoints('\uDE00', '\u{10000}')).toBeLessThan(0);
  expect(compareCodePoints('\u{1F600}', '\uD83D\uE000')).toBeGreaterThan(0);
});
