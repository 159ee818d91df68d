import { deepEqual, fail } from 'node:assert/strict';
import type { Known } from '../contract.ts';
import type { TreeEdit, TreeSpec } from '../tree-spec.ts';
import { asFile, type ConformanceCase, list, pathOf, read, type SourceUnderTest, statement } from './case.ts';

const TREE: TreeSpec = [
  { path: 'a/b/file.md', text: 'text' },
  { path: 'a/b/sub/deep.md', text: 'deep' },
  { path: 'a/b/other.md', text: 'next' },
];

async function knownFile(made: SourceUnderTest, path: string): Promise<Known> {
  return { path: pathOf(path), stamp: asFile(await read(made, path)).stamp };
}

async function knownFolder(made: SourceUnderTest, path: string): Promise<Known> {
  const outcome = await list(made, path);
  return outcome.kind === 'entries' ? { path: pathOf(path), stamp: outcome.stamp } : fail(`${path} is ${outcome.kind}`);
}

/** After these edits the named things cannot be proved unchanged. */
function noticed(
  name: string,
  edits: readonly TreeEdit[],
  what: { files?: readonly string[]; folders?: readonly string[] },
): ConformanceCase {
  return statement(name, TREE, async (made) => {
    await made.settle();
    const known: Known[] = [];
    for (const path of what.files ?? []) known.push(await knownFile(made, path));
    for (const path of what.folders ?? []) known.push(await knownFolder(made, path));
    for (const change of edits) await made.edit(change);
    deepEqual(await made.source.changed(known), [...known.keys()]);
  });
}

const FILE = ['a/b/file.md'];
const REPLACED: readonly TreeEdit[] = [
  { kind: 'rename', path: 'a/b', to: 'moved' },
  { kind: 'symlink', path: 'a/b', target: '../moved' },
];
const REPLACED_OUT: readonly TreeEdit[] = [
  { kind: 'rename', path: 'a', to: '../moved' },
  { kind: 'symlink', path: 'a', target: '../moved' },
];

export const changingCases: readonly ConformanceCase[] = [
  statement('what was not touched is proved unchanged', TREE, async (made) => {
    await made.settle();
    const known = [await knownFile(made, 'a/b/file.md'), await knownFolder(made, 'a/b'), await knownFolder(made, '')];
    deepEqual(await made.source.changed(known), []);
    deepEqual(await made.source.changed([]), []);
  }),
  statement('the indices of changed things are told and no others', TREE, async (made) => {
    await made.settle();
    const known = [
      await knownFile(made, 'a/b/file.md'),
      await knownFile(made, 'a/b/other.md'),
      await knownFile(made, 'a/b/file.md'),
    ];
    await made.edit({ kind: 'write', path: 'a/b/file.md', text: 'another text' });
    deepEqual(await made.source.changed(known), [0, 2]);
  }),
  noticed('an edit is noticed', [{ kind: 'write', path: 'a/b/file.md', text: 'longer text' }], { files: FILE }),
  noticed('an edit of the same size is noticed', [{ kind: 'write', path: 'a/b/file.md', text: 'TEXT' }], {
    files: FILE,
  }),
  noticed('a file renamed over another is noticed', [{ kind: 'rename', path: 'a/b/other.md', to: 'a/b/file.md' }], {
    files: FILE,
    folders: ['a/b'],
  }),
  noticed('a deleted file is noticed, in itself and in its folder', [{ kind: 'remove', path: 'a/b/file.md' }], {
    files: FILE,
    folders: ['a/b'],
  }),
  noticed('a new file is noticed in its folder', [{ kind: 'write', path: 'a/b/new.md', text: '' }], {
    folders: ['a/b'],
  }),
  noticed('a new folder is noticed in its folder', [{ kind: 'mkdir', path: 'a/b/new' }], { folders: ['a/b'] }),
  noticed('an entry that turns from a file into a folder is noticed', [{ kind: 'mkdir', path: 'a/b/file.md' }], {
    files: FILE,
    folders: ['a/b'],
  }),
  noticed(
    'an entry that turns into a link is noticed',
    [{ kind: 'symlink', path: 'a/b/file.md', target: 'other.md' }],
    { files: FILE, folders: ['a/b'] },
  ),
  noticed('a change of rights is noticed', [{ kind: 'chmod', path: 'a/b/file.md', mode: 0o600 }], { files: FILE }),
  noticed('a removed folder is noticed in what lay in it', [{ kind: 'remove', path: 'a' }], {
    files: FILE,
    folders: ['a/b'],
  }),
  noticed('a folder above replaced by a link to itself is noticed', REPLACED, {
    files: FILE,
    folders: ['a/b', 'a/b/sub'],
  }),
  noticed('a folder above replaced by a link out of the root is noticed', REPLACED_OUT, {
    files: FILE,
    folders: ['a/b', 'a/b/sub'],
  }),
  noticed('a root that went away proves nothing', [{ kind: 'rename', path: '', to: '../moved' }], {
    files: FILE,
    folders: ['a/b', ''],
  }),
  statement('a retargeted link is noticed', [...TREE, { path: 'link.md', symlink: 'a/b/file.md' }], async (made) => {
    await made.settle();
    const known = [await knownFile(made, 'link.md')];
    await made.edit({ kind: 'symlink', path: 'link.md', target: 'a/b/other.md' });
    deepEqual(await made.source.changed(known), [0]);
  }),
  statement(
    'a listing that holds a link is never proved unchanged',
    [...TREE, { path: 'a/b/link.md', symlink: '../../none.md' }],
    async (made) => {
      await made.settle();
      deepEqual(await made.source.changed([await knownFolder(made, 'a/b')]), [0]);
    },
  ),
  statement('an edit right after a read is noticed, however coarse the clock', TREE, async (made) => {
    const known = [await knownFile(made, 'a/b/file.md')];
    await made.edit({ kind: 'write', path: 'a/b/file.md', text: 'TEXT' });
    deepEqual(await made.source.changed(known), [0]);
  }),
  statement('an edit between two reads of one instant is noticed', TREE, async (made) => {
    await made.edit({ kind: 'write', path: 'a/b/file.md', text: 'one!' });
    const known = [await knownFile(made, 'a/b/file.md')];
    await made.edit({ kind: 'write', path: 'a/b/file.md', text: 'two!' });
    deepEqual(await made.source.changed(known), [0]);
  }),
];
