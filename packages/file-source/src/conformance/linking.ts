import { equal } from 'node:assert/strict';
import {
  anywhere,
  asFile,
  type ConformanceCase,
  inside,
  isAbsent,
  isRefused,
  read,
  statement,
  textOf,
} from './case.ts';

const SECRET = { path: '../outside/secret.md', text: 'secret' } as const;

export const linkingCases: readonly ConformanceCase[] = [
  statement(
    'a link to a file inside is followed and its real place told',
    [
      { path: 'real/a.md', text: 'a' },
      { path: 'd/link.md', symlink: '../real/a.md' },
      { path: 'absolute.md', symlink: 'real/a.md', absolute: true },
    ],
    async (made) => {
      for (const path of ['d/link.md', 'absolute.md']) {
        const file = asFile(await read(made, path));
        equal(file.path, path);
        equal(file.realPath, 'real/a.md');
        equal(textOf(file), 'a');
      }
    },
  ),
  statement(
    'a chain of links inside is followed',
    [
      { path: 'a.md', text: 'a' },
      { path: 'd/b.md', symlink: '../a.md' },
      { path: 'c.md', symlink: 'd/b.md', absolute: true },
    ],
    async (made) => {
      equal(asFile(await read(made, 'c.md')).realPath, 'a.md');
    },
  ),
  statement(
    'a link that leaves the root and comes back is inside',
    [
      { path: 'a.md', text: 'a' },
      { path: '../outside/back.md', symlink: 'a.md', absolute: true },
      { path: 'link.md', symlink: '../outside/back.md' },
    ],
    async (made) => {
      equal(asFile(await read(made, 'link.md')).realPath, 'a.md');
    },
  ),
  statement(
    'a link out of the root is refused, relative, absolute or at the end of a chain',
    [
      SECRET,
      { path: 'relative.md', symlink: '../outside/secret.md' },
      { path: 'absolute.md', symlink: '../outside/secret.md', absolute: true },
      { path: 'd/chain.md', symlink: '../relative.md' },
      { path: 'folder.md', symlink: '../outside' },
    ],
    async (made) => {
      for (const path of ['relative.md', 'absolute.md', 'd/chain.md', 'folder.md']) {
        isRefused(await read(made, path), 'instruction_module_escape', path);
      }
    },
  ),
  statement('a link to a neighbour whose name begins like the root is refused', [], async (made) => {
    // The neighbour is the root's own name with something added, which only the made tree knows.
    const base = made.at('').split(/[\\/]/).at(-1) ?? '';
    await made.edit({ kind: 'write', path: `../${base}-other/a.md`, text: 'secret' });
    await made.edit({ kind: 'symlink', path: 'link.md', target: `../${base}-other/a.md` });
    isRefused(await read(made, 'link.md'), 'instruction_module_escape', 'link.md');
  }),
  statement(
    'where links may lead anywhere the bytes come without a place in the root',
    [
      SECRET,
      { path: 'a.md', text: 'a' },
      { path: 'out.md', symlink: '../outside/secret.md' },
      { path: 'in.md', symlink: 'a.md' },
    ],
    async (made) => {
      const file = asFile(await read(made, 'out.md', anywhere));
      equal(file.realPath, undefined);
      equal(textOf(file), 'secret');
      equal(asFile(await read(made, 'in.md', anywhere)).realPath, 'a.md');
      isRefused(await read(made, 'out.md', { ...anywhere, maxBytes: 5 }), 'context_file_oversized', 'out.md');
    },
  ),
  statement(
    'a link to a folder is no regular file',
    [
      { path: 'real/a.md', text: 'a' },
      { path: 'link.md', symlink: 'real' },
    ],
    async (made) => {
      isAbsent(await read(made, 'link.md'), 'not_a_regular_file', 'link.md');
    },
  ),
  statement(
    'a link to a pipe is no regular file and is not waited for',
    [
      { path: 'pipe', fifo: true },
      { path: 'link.md', symlink: 'pipe' },
    ],
    async (made) => {
      isAbsent(await read(made, 'link.md'), 'not_a_regular_file', 'link.md');
    },
  ),
  statement(
    'a loop of links is refused',
    [
      { path: 'self.md', symlink: 'self.md' },
      { path: 'a.md', symlink: 'd/b.md' },
      { path: 'd/b.md', symlink: '../a.md' },
    ],
    async (made) => {
      for (const path of ['self.md', 'a.md', 'd/b.md', 'self.md/below.md']) {
        for (const o of [inside, anywhere]) isRefused(await read(made, path, o), 'symlink_refused', path);
      }
    },
  ),
  statement(
    'a dangling link is absent and named',
    [
      { path: 'file.md', text: '' },
      { path: 'relative.md', symlink: 'none.md' },
      { path: 'absolute.md', symlink: 'none/a.md', absolute: true },
      { path: 'out.md', symlink: '../none.md' },
      { path: 'chain.md', symlink: 'relative.md' },
      { path: 'through-file.md', symlink: 'file.md/a.md' },
    ],
    async (made) => {
      for (const path of ['relative.md', 'absolute.md', 'out.md', 'chain.md', 'through-file.md']) {
        isAbsent(await read(made, path), 'symlink_dangling', path);
      }
    },
  ),
  statement(
    'nothing below a dangling folder link is absent without a word',
    [{ path: 'd', symlink: 'none' }],
    async (made) => {
      isAbsent(await read(made, 'd/a.md'), undefined, '');
    },
  ),
  statement(
    'a file below a folder link inside is read, with its real place',
    [
      { path: 'real/deep/a.md', text: 'a' },
      { path: 'd', symlink: 'real' },
    ],
    async (made) => {
      const file = asFile(await read(made, 'd/deep/a.md'));
      equal(file.realPath, 'real/deep/a.md');
      equal(textOf(file), 'a');
    },
  ),
  statement(
    'a file below a folder link that leads out is refused',
    [SECRET, { path: 'd', symlink: '../outside' }],
    async (made) => {
      isRefused(await read(made, 'd/secret.md'), 'instruction_module_escape', 'd/secret.md');
      isAbsent(await read(made, 'd/none.md'), undefined, '');
      equal(asFile(await read(made, 'd/secret.md', anywhere)).realPath, undefined);
    },
  ),
  statement(
    'a link that turns outwards later is refused later',
    [SECRET, { path: 'a.md', text: 'a' }, { path: 'link.md', symlink: 'a.md' }],
    async (made) => {
      equal(textOf(await read(made, 'link.md')), 'a');
      await made.edit({ kind: 'symlink', path: 'link.md', target: '../outside/secret.md' });
      isRefused(await read(made, 'link.md'), 'instruction_module_escape', 'link.md');
    },
  ),
];
