import { deepEqual, equal } from 'node:assert/strict';
import { type ConformanceCase, entriesOf, isRefused, isUnavailable, list, statement } from './case.ts';

const plain = (name: string, kind: string): object => ({ name, kind, linked: false, code: '' });
const link = (name: string, kind: string, code: string): object => ({ name, kind, linked: true, code });

export const listingCases: readonly ConformanceCase[] = [
  statement(
    'a listing names files and folders, dot names included',
    [
      { path: 'd/.dot.md', text: '' },
      { path: 'd/a.md', text: '' },
      { path: 'd/sub/x.md', text: '' },
      { path: 'other/y.md', text: '' },
    ],
    async (made) => {
      deepEqual(entriesOf(await list(made, 'd')), [
        plain('.dot.md', 'file'),
        plain('a.md', 'file'),
        plain('sub', 'folder'),
      ]);
      deepEqual(entriesOf(await list(made, '')), [plain('d', 'folder'), plain('other', 'folder')]);
    },
  ),
  statement('an empty folder has no entries', [{ path: 'd', folder: true }], async (made) => {
    deepEqual(entriesOf(await list(made, 'd')), []);
  }),
  statement(
    'each link of a listing says why it may not be used',
    [
      { path: '../outside/secret.md', text: 'secret' },
      { path: 'real/a.md', text: 'a' },
      { path: 'd/1-file.md', symlink: '../real/a.md' },
      { path: 'd/2-out.md', symlink: '../../outside/secret.md' },
      { path: 'd/3-out', symlink: '../outside', absolute: true },
      { path: 'd/4-folder', symlink: '../real' },
      { path: 'd/5-loop', symlink: '5-loop' },
      { path: 'd/6-up', symlink: '..' },
      { path: 'd/7-dangling.md', symlink: 'none' },
    ],
    async (made) => {
      deepEqual(entriesOf(await list(made, 'd')), [
        link('1-file.md', 'file', ''),
        link('2-out.md', 'other', 'instruction_module_escape'),
        link('3-out', 'other', 'instruction_module_escape'),
        link('4-folder', 'other', 'symlink_refused'),
        link('5-loop', 'other', 'symlink_refused'),
        link('6-up', 'other', 'symlink_refused'),
        link('7-dangling.md', 'other', 'symlink_dangling'),
      ]);
    },
  ),
  statement(
    'a refusal of an entry names the path of the link',
    [
      { path: '../outside.md', text: 'secret' },
      { path: 'd/out.md', symlink: '../../outside.md' },
    ],
    async (made) => {
      const outcome = await list(made, 'd');
      deepEqual(outcome.kind === 'entries' ? outcome.entries.map(({ refusal }) => refusal?.path) : [], ['d/out.md']);
    },
  ),
  statement(
    'a pipe in a listing is named',
    [
      { path: 'd/pipe', fifo: true },
      { path: 'd/to-pipe', symlink: 'pipe' },
    ],
    async (made) => {
      deepEqual(entriesOf(await list(made, 'd')), [
        { name: 'pipe', kind: 'other', linked: false, code: 'not_a_regular_file' },
        link('to-pipe', 'other', 'not_a_regular_file'),
      ]);
    },
  ),
  statement('what is not there is absent and a file is no folder', [{ path: 'a.md', text: '' }], async (made) => {
    equal((await list(made, 'none')).kind, 'absent');
    equal((await list(made, 'none/deeper')).kind, 'absent');
    equal((await list(made, 'a.md/below')).kind, 'absent');
    isRefused(await list(made, 'a.md'), 'not_a_directory', 'a.md');
  }),
  statement(
    'a folder that is a link or lies below one is not entered',
    [
      { path: '../outside/secret.md', text: 'secret' },
      { path: 'real/sub/a.md', text: '' },
      { path: 'link', symlink: 'real' },
      { path: 'out', symlink: '../outside' },
      { path: 'loop', symlink: 'loop' },
      { path: 'dangling', symlink: 'none' },
    ],
    async (made) => {
      for (const folder of ['link', 'link/sub', 'out', 'loop', 'dangling']) {
        isRefused(await list(made, folder), 'symlink_refused', folder);
      }
    },
  ),
  statement(
    'a folder of exactly the most entries is listed and one more refuses it whole',
    [
      { path: 'three/a', text: '' },
      { path: 'three/b', text: '' },
      { path: 'three/c', folder: true },
      { path: 'four/a', text: '' },
      { path: 'four/b', text: '' },
      { path: 'four/c', text: '' },
      { path: 'four/d', symlink: 'none' },
    ],
    async (made) => {
      equal(entriesOf(await list(made, 'three', 3)).length, 3);
      isRefused(await list(made, 'four', 3), 'listing_truncated', 'four');
      equal(entriesOf(await list(made, 'four', 4)).length, 4);
    },
  ),
  statement(
    'odd names are listed as they are',
    [
      { path: 'd/new\nline', text: '' },
      { path: 'd/caf\u00e9', text: '' },
      { path: 'd/cafe\u0301', text: '' },
      { path: 'd/<"\'', text: '' },
    ],
    async (made) => {
      deepEqual(
        entriesOf(await list(made, 'd')).map(({ name }) => name),
        ['<"\'', 'cafe\u0301', 'caf\u00e9', 'new\nline'],
      );
    },
  ),
  statement(
    'a folder that cannot be read is unavailable, never absent or empty',
    [
      { path: 'd/sub/a.md', text: '' },
      { path: 'd', folder: true, mode: 0 },
    ],
    async (made) => {
      isUnavailable(await list(made, 'd'), 'file_unreadable', 'd');
      isUnavailable(await list(made, 'd/sub'), 'file_unreadable', 'd/sub');
    },
  ),
];
