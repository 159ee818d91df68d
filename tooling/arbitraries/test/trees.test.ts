import { mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyEdit, layTree } from '@codicil/arbitraries/lay-tree';
import { anyEdit, anyTouches, anyTree, consistent, TREE_CAP } from '@codicil/arbitraries/trees';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

let root = '';

beforeEach(() => {
  root = join(realpathSync(mkdtempSync(join(tmpdir(), 'codicil-'))), 'project');
});

afterEach(() => {
  rmSync(join(root, '..'), { recursive: true });
});

test('every nasty value that trees are for turns up in a few hundred of them', () => {
  const entries = fc.sample(anyTree({ rights: true }), 600).flat();
  const texts = entries.flatMap((entry) => ('text' in entry ? [entry.text] : []));
  const sizes = new Set(texts.map((text) => Buffer.byteLength(text)));
  expect(sizes).toContain(TREE_CAP);
  expect(sizes).toContain(TREE_CAP + 1);
  expect(sizes).toContain(0);
  for (const part of ['\ufeff---', '\r\n', 'paths:', 'OUTSIDE ', '<<<<<<<']) {
    expect(
      texts.some((text) => text.includes(part)),
      part,
    ).toBe(true);
  }
  for (const part of ['\n', '"', '<', 'caf\u00e9', 'cafe\u0301', '.elowen/rules/', '../', 'AGENTS.override.md']) {
    expect(
      entries.some(({ path }) => path.includes(part)),
      part,
    ).toBe(true);
  }
  for (const key of ['bytes', 'folder', 'symlink', 'absolute', 'hardLink', 'fifo', 'mode']) {
    expect(
      entries.some((entry) => key in entry),
      key,
    ).toBe(true);
  }
});

test('no tree contradicts itself', () => {
  fc.assert(
    fc.property(anyTree(), (tree) => {
      expect(consistent(tree)).toEqual(tree);
    }),
  );
});

test('touches and edits can be drawn for every tree, the empty one included', () => {
  for (const tree of [[], ...fc.sample(anyTree(), 20)]) {
    expect(fc.sample(anyTouches(tree), 3)).toHaveLength(3);
    expect(fc.sample(anyEdit(tree, { rights: true }), 3)).toHaveLength(3);
  }
});

test('a tree is laid with its neighbours, and an absolute link says a native path', () => {
  layTree(root, [
    { path: 'd/a.md', text: 'a' },
    { path: '../outside/b.md', text: 'b' },
    { path: 'link', symlink: '../outside', absolute: true },
    { path: 'bytes.md', bytes: Uint8Array.of(1) },
    { path: 'hard.md', hardLink: 'd/a.md' },
  ]);
  expect(readFileSync(join(root, 'd/a.md'), 'utf8')).toBe('a');
  expect(readFileSync(join(root, 'hard.md'), 'utf8')).toBe('a');
  expect(readFileSync(join(root, 'link/b.md'), 'utf8')).toBe('b');
  expect(readlinkSync(join(root, 'link'))).toBe(join(root, '../outside'));
  expect([...readFileSync(join(root, 'bytes.md'))]).toEqual([1]);
});

test('no change goes through a link', () => {
  layTree(root, [
    { path: '../outside/b.md', text: 'b' },
    { path: 'd', symlink: '../outside' },
    { path: 'loop', symlink: 'loop' },
  ]);
  applyEdit(root, { kind: 'remove', path: 'd/b.md' });
  applyEdit(root, { kind: 'remove', path: 'loop/deep/b.md' });
  applyEdit(root, { kind: 'write', path: 'd/b.md', text: 'new' });
  expect(readFileSync(join(root, '../outside/b.md'), 'utf8')).toBe('b');
  expect(readFileSync(join(root, 'd/b.md'), 'utf8')).toBe('new');
});
