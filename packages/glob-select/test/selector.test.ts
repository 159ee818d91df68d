import { createSelector, type Glob, matchesGlob, nearMiss } from '@codicil/glob-select';
import { expect, test } from 'vitest';

const matches = (glob: string, path: string, ignoreCase = false): boolean =>
  matchesGlob(glob as Glob, path, { ignoreCase });

test.each([
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/a/b.ts', false],
  ['src/**/x.ts', 'src/x.ts', true],
  ['src/**/x.ts', 'src/a/b/x.ts', true],
  ['src/**', 'src/a/b/c.ts', true],
  ['src/**', 'src', false],
  ['**', 'a', true],
  ['**/**', 'a', true],
  ['**/*', 'a/b', true],
  ['*', '.env', true],
  ['**/*.yml', '.github/workflows/ci.yml', true],
  ['a?.ts', 'ab.ts', true],
  ['a?b', 'a/b', false],
  ['a?b', 'a😀b', true],
  ['a??b', 'a😀b', false],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
  ['app/[id]/page.tsx', 'app/i/page.tsx', false],
  ['*.{ts,tsx}', 'a.ts', false],
  ['*.{ts,tsx}', 'a.{ts,tsx}', true],
  ['SRC/**', 'src/x', false],
  ['**.ts', 'a.ts', true],
  ['**.ts', 'a/b.ts', false],
  ['*.ts', '.ts', true],
  ['*aa', 'a', false],
  ['a?b', 'a\ud83db', true],
  ['a?b', 'a\ud83d\ud83db', false],
  ['*\ude00', '\ud83d\ude00', false],
  ['src/*/x', 'src/.a/x', true],
  ['a/**/b/**/c', 'a/b/c', true],
  ['a/**/b/**/c', 'a/c', false],
])('%s on %s: %s', (glob, path, expected) => {
  expect(matches(glob, path)).toBe(expected);
});

test('letter case does not count where the files lie so, and lengths never change', () => {
  expect(matches('SRC/*.TS', 'src/A.ts', true)).toBe(true);
  expect(matches('İ*', 'İx', true)).toBe(true);
  expect(matches('É.md', 'é.md', true)).toBe(true);
});

test('each glob that matches is named, in the order it was given', () => {
  const selector = createSelector(
    [
      { id: 'b', globs: ['src/**' as Glob, '**/*.ts' as Glob] },
      { id: 'a', globs: ['docs/**' as Glob] },
    ],
    { ignoreCase: false },
  );
  expect(selector.match('src/x.ts')).toEqual([
    { id: 'b', glob: 'src/**' },
    { id: 'b', glob: '**/*.ts' },
  ]);
  expect(selector.match('')).toEqual([]);
});

test('near misses are told apart', () => {
  const reason = (glob: string, ...paths: string[]) => nearMiss(glob as Glob, paths)?.reason;
  expect(reason('SRC/**', 'src/x')).toBe('case');
  expect(reason('caf\u00e9/**', 'cafe\u0301/x')).toBe('unicode');
  expect(reason('*.ts', 'src/a.ts')).toBe('below');
  expect(reason('*.ts', 'a.ts', 'src/a.js')).toBeUndefined();
  expect(nearMiss('*.ts' as Glob, ['x', 'src/a.ts'])?.path).toBe('src/a.ts');
});
