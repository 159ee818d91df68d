import { deepEqual, equal, notEqual } from 'node:assert/strict';
import {
  asFile,
  type ConformanceCase,
  inside,
  isAbsent,
  isRefused,
  isUnavailable,
  pathOf,
  read,
  statement,
  textOf,
} from './case.ts';

const ODD_NAMES = [
  'new\nline.md',
  `qu"o'te.md`,
  '<b>&amp;.md',
  'caf\u00e9.md',
  'cafe\u0301.md',
  '.hidden.md',
  '...md',
  ' blank .md',
  '[id].md',
  '{a,b}.md',
  '#a.md',
  '\u{1f600}.md',
];
const BYTES = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0x00, 0xff);

export const readingCases: readonly ConformanceCase[] = [
  statement(
    'a file is returned byte for byte, with its real place',
    [{ path: 'a/b.md', bytes: BYTES }],
    async (made) => {
      const file = asFile(await read(made, 'a/b.md'));
      deepEqual([...file.bytes], [...BYTES]);
      equal(file.path, 'a/b.md');
      equal(file.realPath, 'a/b.md');
    },
  ),
  statement('an empty file is a file', [{ path: 'empty.md', text: '' }], async (made) => {
    equal(asFile(await read(made, 'empty.md')).bytes.length, 0);
  }),
  statement('a name that is not there is absent without a word', [{ path: 'a.md', text: 'a' }], async (made) => {
    isAbsent(await read(made, 'b.md'), undefined, 'b.md');
    isAbsent(await read(made, 'no/such/folder.md'), undefined, '');
    isAbsent(await read(made, 'a.md/below.md'), undefined, '');
    isAbsent(await read(made, `${'n'.repeat(300)}.md`), undefined, '');
  }),
  statement('a folder under the name is absent and named', [{ path: 'a.md', folder: true }], async (made) => {
    isAbsent(await read(made, 'a.md'), 'not_a_regular_file', 'a.md');
    isAbsent(await read(made, ''), 'not_a_regular_file', '');
  }),
  statement(
    'a pipe under the name is absent and named, and is not waited for',
    [{ path: 'a.md', fifo: true }],
    async (made) => {
      isAbsent(await read(made, 'a.md'), 'not_a_regular_file', 'a.md');
    },
  ),
  statement(
    'a file of exactly the cap is read and one byte more is refused whole',
    [
      { path: 'at.md', text: 'x'.repeat(16) },
      { path: 'over.md', text: 'x'.repeat(17) },
    ],
    async (made) => {
      const capped = { ...inside, maxBytes: 16 };
      equal(asFile(await read(made, 'at.md', capped)).bytes.length, 16);
      isRefused(await read(made, 'over.md', capped), 'context_file_oversized', 'over.md');
      equal(asFile(await read(made, 'over.md')).bytes.length, 17);
    },
  ),
  statement(
    'a cap of nothing lets an empty file through alone',
    [
      { path: 'empty.md', text: '' },
      { path: 'one.md', text: 'x' },
    ],
    async (made) => {
      asFile(await read(made, 'empty.md', { ...inside, maxBytes: 0 }));
      isRefused(await read(made, 'one.md', { ...inside, maxBytes: 0 }), 'context_file_oversized', 'one.md');
    },
  ),
  statement(
    'a large file is returned whole',
    [{ path: 'big.md', text: '0123456789abcdef'.repeat(16_384) }],
    async (made) => {
      equal(textOf(await read(made, 'big.md')), '0123456789abcdef'.repeat(16_384));
    },
  ),
  statement(
    'two hard links are two files',
    [
      { path: 'a.md', text: 'same' },
      { path: 'd/b.md', hardLink: 'a.md' },
    ],
    async (made) => {
      equal(asFile(await read(made, 'a.md')).realPath, 'a.md');
      equal(asFile(await read(made, 'd/b.md')).realPath, 'd/b.md');
    },
  ),
  statement(
    'odd names are names',
    ODD_NAMES.map((path, index) => ({ path, text: String(index) })),
    async (made) => {
      for (const [index, name] of ODD_NAMES.entries())
        equal(textOf(await read(made, name)), String(index), JSON.stringify(name));
    },
  ),
  statement(
    'a backslash is a character of a POSIX name',
    [
      { path: 'a\\b.md', text: 'one name' },
      { path: 'a/b.md', text: 'two names' },
    ],
    async (made) => {
      equal(textOf(await read(made, 'a\\b.md')), 'one name');
    },
  ),
  statement('bytes belong to the caller', [{ path: 'a.md', text: 'kept' }], async (made) => {
    asFile(await read(made, 'a.md')).bytes.fill(0);
    equal(textOf(await read(made, 'a.md')), 'kept');
  }),
  statement('each read sees the content of its time', [{ path: 'a.md', text: 'one' }], async (made) => {
    const before = asFile(await read(made, 'a.md'));
    await made.edit({ kind: 'write', path: 'a.md', text: 'two' });
    equal(textOf(await read(made, 'a.md')), 'two');
    equal(Buffer.from(before.bytes).toString(), 'one');
    await made.edit({ kind: 'remove', path: 'a.md' });
    isAbsent(await read(made, 'a.md'), undefined, 'a.md');
  }),
  statement(
    'readMany answers in the order of the paths',
    [
      { path: 'a.md', text: 'a' },
      { path: 'folder', folder: true },
    ],
    async (made) => {
      const paths = ['folder', 'a.md', 'none', 'a.md'].map(pathOf);
      const outcomes = await made.source.readMany(paths, inside);
      deepEqual(
        outcomes.map((outcome) => outcome.kind),
        ['absent', 'file', 'absent', 'file'],
      );
      const [, first, , second] = outcomes;
      if (first?.kind === 'file' && second?.kind === 'file') notEqual(first.bytes, second.bytes);
      deepEqual(await made.source.readMany([], inside), []);
    },
  ),
  statement('an unreadable file is unavailable, never absent', [{ path: 'a.md', text: 'a', mode: 0 }], async (made) => {
    isUnavailable(await read(made, 'a.md'), 'file_unreadable', 'a.md');
  }),
  statement(
    'a file in an unsearchable folder is unavailable, there or not',
    [
      { path: 'd/a.md', text: 'a' },
      { path: 'd', folder: true, mode: 0 },
    ],
    async (made) => {
      isUnavailable(await read(made, 'd/a.md'), 'file_unreadable', 'd/a.md');
      isUnavailable(await read(made, 'd/b.md'), 'file_unreadable', 'd/b.md');
    },
  ),
  statement(
    'when the root is gone every file is unavailable, never absent',
    [{ path: 'a.md', text: 'a' }],
    async (made) => {
      await made.edit({ kind: 'rename', path: '', to: '../moved' });
      isUnavailable(await read(made, 'a.md'), 'file_unreadable', 'a.md');
      isUnavailable(await read(made, 'b.md'), 'file_unreadable', 'b.md');
      isUnavailable(await made.source.list(pathOf(''), { maxEntries: 10 }), 'file_unreadable', '');
      isUnavailable(await made.source.list(pathOf('d'), { maxEntries: 10 }), 'file_unreadable', 'd');
      equal((await made.source.locate('a.md')).kind, 'unavailable');
    },
  ),
];
