import { type PathRules, within } from '@codicil/project-path';
import { expect, test } from 'vitest';

const posix: PathRules = { platform: 'posix', ignoreCase: false };
const mac: PathRules = { platform: 'posix', ignoreCase: true };
const windows: PathRules = { platform: 'win32', ignoreCase: true };
const exactWindows: PathRules = { platform: 'win32', ignoreCase: false };

test.each([
  ['/p', 'a/b', 'a/b'],
  ['/p', './a', 'a'],
  ['/p', 'a/../b', 'b'],
  ['/p', 'a//b/', 'a/b'],
  ['/p', '/p/a', 'a'],
  ['/p', '/p/../p/a', 'a'],
  ['/p/', '/p/a', 'a'],
  ['/p', '/p', ''],
  ['/p', '', ''],
  ['/p', '.', ''],
  ['/', '/a/b', 'a/b'],
  ['/', '/', ''],
  ['/p', '..a', '..a'],
  ['/p', '...', '...'],
  ['/p', 'a\\b', 'a\\b'],
  ['/p', 'C:\\x', 'C:\\x'],
  ['/p', '/p/ü', 'ü'],
  ['/p', '/q', undefined],
  ['/p', '/pq/a', undefined],
  ['/p', '..', undefined],
  ['/p', '../p', ''],
  ['/p', '../q', undefined],
  ['/p', 'a/../../q', undefined],
  ['/p', '/P/a', undefined],
  ['/p', 'a\0b', undefined],
])('posix: in %j, %j is %j', (root, path, expected) => {
  expect(within(root, path, posix)).toBe(expected);
});

test.each([
  ['/p', '/P/A', 'A'],
  ['/Projekt Ä', '/projekt ä/x', 'x'],
  ['/p', '/PQ', undefined],
  ['/', '/A', 'A'],
])('posix, any case: in %j, %j is %j', (root, path, expected) => {
  expect(within(root, path, mac)).toBe(expected);
});

test.each([
  ['C:\\p', 'a\\b', 'a/b'],
  ['C:\\p', 'a/b', 'a/b'],
  ['C:\\p', 'C:\\p\\a', 'a'],
  ['C:\\p', 'c:/P/a', 'a'],
  ['C:\\p', 'C:\\p', ''],
  ['C:\\', 'C:\\a', 'a'],
  ['C:\\p', 'D:\\p\\a', undefined],
  ['C:\\p', 'C:a', undefined],
  ['C:\\p', 'C:', undefined],
  ['C:\\p', 'c:..\\p\\a', undefined],
  ['C:\\p', '\\p\\a', 'a'],
  ['C:\\p', '\\q', undefined],
  ['C:\\p', '..\\p\\a', 'a'],
  ['C:\\p', '..\\pq', undefined],
  ['C:\\p', 'C:\\pq', undefined],
  ['C:\\p', '\\\\server\\share\\p\\a', undefined],
  ['\\\\server\\share\\p', '\\\\SERVER\\share\\p\\a', 'a'],
  ['\\\\server\\share\\p', '//server/share/p/a', 'a'],
  ['\\\\server\\share', '\\\\server\\share\\a', 'a'],
  ['\\\\server\\share', '\\\\server\\other\\a', undefined],
  ['\\\\server\\share\\p', 'a', 'a'],
  ['\\\\server\\share\\p', '\\p\\a', 'a'],
  ['\\\\server\\share\\p', 'C:\\p\\a', undefined],
  ['C:\\p', 'a\0', undefined],
  ['C:\\p', 'a.md:stream', undefined],
  ['C:\\', '../C:/a', undefined],
])('Windows, on any machine: in %j, %j is %j', (root, path, expected) => {
  expect(within(root, path, windows)).toBe(expected);
});

test('on a Windows volume that keeps case apart the drive still has none', () => {
  expect(within('C:\\p', 'c:\\p\\a', exactWindows)).toBe('a');
  expect(within('C:\\p', 'C:\\P\\a', exactWindows)).toBeUndefined();
});
