import { deepEqual, equal } from 'node:assert/strict';
import type { TreeSpec } from '../tree-spec.ts';
import {
  type ConformanceCase,
  inside,
  isAbsent,
  isRefused,
  isUnavailable,
  pathOf,
  type SourceUnderTest,
  statement,
  textOf,
} from './case.ts';

const NAMES = ['one.md', 'two.md', 'three.md'];

function first(
  made: SourceUnderTest,
  folder = 'd',
  o: typeof inside = inside,
): ReturnType<SourceUnderTest['source']['readFirst']> {
  return made.source.readFirst(pathOf(folder), NAMES, o);
}

/** The first candidate decides with a refusal although the second is a good file. */
function decides(
  name: string,
  code: 'context_file_oversized' | 'instruction_module_escape' | 'symlink_refused',
  extra: TreeSpec,
): ConformanceCase {
  return statement(name, [{ path: 'd/two.md', text: '2' }, ...extra], async (made) => {
    const read = await first(made, 'd', { ...inside, maxBytes: 8 });
    equal(read.name, 'one.md');
    isRefused(read.outcome, code, 'd/one.md');
    deepEqual(read.passedOver, []);
  });
}

export const selectingCases: readonly ConformanceCase[] = [
  statement(
    'the first candidate that exists is read',
    [
      { path: 'd/three.md', text: '3' },
      { path: 'd/two.md', text: '2' },
    ],
    async (made) => {
      const read = await first(made);
      equal(read.name, 'two.md');
      equal(textOf(read.outcome), '2');
      deepEqual(read.passedOver, []);
    },
  ),
  statement('no candidate is absent without a name', [{ path: 'd/other.md', text: '' }], async (made) => {
    for (const folder of ['d', 'none', '', 'd/other.md']) {
      const read = await first(made, folder);
      equal(read.name, undefined);
      isAbsent(read.outcome, undefined, '');
      deepEqual(read.passedOver, []);
    }
  }),
  statement('candidates of the root folder are read', [{ path: 'one.md', text: '1' }], async (made) => {
    equal(textOf((await first(made, '')).outcome), '1');
  }),
  statement(
    'what is no regular file and what dangles is passed over in candidate order',
    [
      { path: 'd/one.md', folder: true },
      { path: 'd/two.md', symlink: 'nowhere.md' },
      { path: 'd/three.md', text: '3' },
    ],
    async (made) => {
      const read = await first(made);
      equal(read.name, 'three.md');
      equal(textOf(read.outcome), '3');
      deepEqual(
        read.passedOver.map(({ code, severity, path }) => [code, severity, path]),
        [
          ['not_a_regular_file', 'error', 'd/one.md'],
          ['symlink_dangling', 'error', 'd/two.md'],
        ],
      );
    },
  ),
  statement(
    'a pipe is passed over, and named when nothing follows',
    [{ path: 'd/one.md', fifo: true }],
    async (made) => {
      const read = await first(made);
      equal(read.name, undefined);
      equal(read.outcome.kind, 'absent');
      deepEqual(
        read.passedOver.map(({ code, path }) => [code, path]),
        [['not_a_regular_file', 'd/one.md']],
      );
    },
  ),
  decides('an oversized candidate decides', 'context_file_oversized', [{ path: 'd/one.md', text: '123456789' }]),
  decides('a candidate that leads out decides', 'instruction_module_escape', [
    { path: '../outside.md', text: 'secret' },
    { path: 'd/one.md', symlink: '../../outside.md' },
  ]),
  decides('a candidate that loops decides', 'symlink_refused', [{ path: 'd/one.md', symlink: 'one.md' }]),
  statement(
    'a candidate that cannot be read decides',
    [
      { path: 'd/one.md', text: '1', mode: 0 },
      { path: 'd/two.md', text: '2' },
    ],
    async (made) => {
      const read = await first(made);
      equal(read.name, 'one.md');
      isUnavailable(read.outcome, 'file_unreadable', 'd/one.md');
    },
  ),
  statement('no candidate of a vanished root is proved absent', [{ path: 'd/two.md', text: '2' }], async (made) => {
    await made.edit({ kind: 'rename', path: '', to: '../moved' });
    isUnavailable((await first(made)).outcome, 'file_unreadable', 'd/one.md');
  }),
];
