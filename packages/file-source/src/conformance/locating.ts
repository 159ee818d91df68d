import { deepEqual, equal } from 'node:assert/strict';
import type { Location } from '../contract.ts';
import type { TreeSpec } from '../tree-spec.ts';
import { type ConformanceCase, nativePaths, type SourceUnderTest, statement } from './case.ts';

const TREE: TreeSpec = [
  { path: 'src/a.ts', text: '' },
  { path: 'real/deep/b.ts', text: '' },
  { path: 'link', symlink: 'real' },
  { path: 'src/file-link.ts', symlink: 'a.ts' },
  { path: 'out', symlink: '../outside' },
  { path: 'dangling', symlink: 'none/yet' },
  { path: 'loop', symlink: 'loop' },
  { path: '../outside/c.ts', text: '' },
  { path: '../alias', symlink: '', absolute: true },
];

const place = (named: string | undefined, real: string | undefined, firstLink?: string): object => ({
  kind: 'inside',
  named,
  real,
  firstLink,
});

async function where(made: SourceUnderTest, path: string): Promise<Location> {
  return made.source.locate(path);
}

export const locatingCases: readonly ConformanceCase[] = [
  statement('a path is located relative to the root and absolute', TREE, async (made) => {
    const { join } = nativePaths(made.source);
    for (const path of [
      'src/a.ts',
      './src//a.ts',
      'none/../src/a.ts',
      join(made.source.root, 'src', 'a.ts'),
      made.at('src/a.ts'),
    ]) {
      deepEqual(await where(made, path), place('src/a.ts', 'src/a.ts'), path);
    }
    for (const path of ['', '.', 'src/..', made.source.root, made.at('')])
      deepEqual(await where(made, path), place('', ''), path);
  }),
  statement('a path that does not exist yet has its place', TREE, async (made) => {
    deepEqual(await where(made, 'src/new/file.ts'), place('src/new/file.ts', 'src/new/file.ts'));
    deepEqual(await where(made, 'src/a.ts/below'), place('src/a.ts/below', 'src/a.ts/below'));
  }),
  statement('a path outside is outside', TREE, async (made) => {
    for (const path of [
      '..',
      '../outside/c.ts',
      'src/../../outside/c.ts',
      made.at('../outside/c.ts'),
      made.at('../none'),
    ]) {
      deepEqual(await where(made, path), { kind: 'outside' }, path);
    }
  }),
  statement('a neighbour whose name begins like the root is outside', TREE, async (made) => {
    deepEqual(await where(made, `${made.at('')}-other`), { kind: 'outside' });
  }),
  statement('a name that begins with two dots is inside', [{ path: '..a/b', text: '' }], async (made) => {
    deepEqual(await where(made, '..a/b'), place('..a/b', '..a/b'));
  }),
  statement('through a link inside, the name, the real place and the link are told', TREE, async (made) => {
    deepEqual(await where(made, 'link/deep/b.ts'), place('link/deep/b.ts', 'real/deep/b.ts', 'link'));
    deepEqual(await where(made, 'link/new/x.ts'), place('link/new/x.ts', 'real/new/x.ts', 'link'));
    deepEqual(await where(made, 'link'), place('link', 'real', 'link'));
    deepEqual(await where(made, 'src/file-link.ts'), place('src/file-link.ts', 'src/a.ts', 'src/file-link.ts'));
  }),
  statement('through a link that leads out there is a name and no real place', TREE, async (made) => {
    deepEqual(await where(made, 'out/c.ts'), place('out/c.ts', undefined, 'out'));
    deepEqual(await where(made, 'out/new.ts'), place('out/new.ts', undefined, 'out'));
    deepEqual(await where(made, 'out'), place('out', undefined, 'out'));
  }),
  statement('a dangling link lies where its target would', TREE, async (made) => {
    deepEqual(await where(made, 'dangling/x.ts'), place('dangling/x.ts', 'none/yet/x.ts', 'dangling'));
  }),
  statement('a loop of links has no real place', TREE, async (made) => {
    deepEqual(await where(made, 'loop/x.ts'), place('loop/x.ts', undefined, 'loop'));
  }),
  statement('a path through another name of the root is inside by its real place', TREE, async (made) => {
    const { join } = nativePaths(made.source);
    deepEqual(await where(made, join(made.at('../alias'), 'src', 'a.ts')), place(undefined, 'src/a.ts'));
    deepEqual(await where(made, join(made.at('../alias'), 'new.ts')), place(undefined, 'new.ts'));
    deepEqual(await where(made, join(made.at('../alias'), 'link', 'new.ts')), place(undefined, 'real/new.ts'));
    deepEqual(await where(made, join(made.at('../alias'), 'out', 'c.ts')), { kind: 'outside' });
  }),
  statement(
    'a source opened through another name of the root knows both names',
    TREE,
    async (made) => {
      const { join } = nativePaths(made.source);
      for (const root of [made.at(''), made.at('../alias'), made.source.root]) {
        deepEqual(
          await where(made, join(root, 'link', 'deep', 'b.ts')),
          place('link/deep/b.ts', 'real/deep/b.ts', 'link'),
          root,
        );
      }
      deepEqual(await where(made, 'src/a.ts'), place('src/a.ts', 'src/a.ts'));
    },
    { openedThrough: '../alias' },
  ),
  statement('a path with a NUL is outside', TREE, async (made) => {
    equal((await where(made, 'src/\0a.ts')).kind, 'outside');
  }),
];
