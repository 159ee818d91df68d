import { defaultLayout } from '@codicil/instruction-modules';
import { expect, test } from 'vitest';
import { files, pathsOf, projectOf, rule, told } from './over.ts';

test('nested files come shallow to deep and by path, however the touches are ordered', async () => {
  const { resolver } = projectOf(
    files({ 'AGENTS.md': 'r', 'b/AGENTS.md': '1', 'a/x/AGENTS.md': '2', 'a/CLAUDE.md': '3', 'c/AGENTS.md': '4' }),
  );
  const resolution = await resolver.forPaths(['b/f', 'a/x/y/f', 'a/f', 'b/f']);
  expect(pathsOf(resolution)).toEqual(['a/CLAUDE.md', 'b/AGENTS.md', 'a/x/AGENTS.md']);
  expect(resolution.diagnostics).toEqual([]);
});

test('the root file is never among what a touch brings', async () => {
  const { resolver } = projectOf(files({ 'AGENTS.md': 'r' }));
  expect(pathsOf(await resolver.forPaths(['a.ts', 'AGENTS.md', 'src/a.ts']))).toEqual([]);
  expect(pathsOf(await resolver.startup())).toEqual(['AGENTS.md']);
});

test('the first candidate name that exists decides, and a refused one lets no other in', async () => {
  const { resolver } = projectOf([
    ...files({ 'a/AGENTS.override.md': 'o', 'a/AGENTS.md': 'a', 'b/CLAUDE.md': 'c' }),
    { path: 'b/AGENTS.md', text: 'x'.repeat(defaultLayout.maxFileBytes + 1) },
    { path: 'c/AGENTS.md', bytes: new Uint8Array([0xff, 0xfe]) },
    ...files({ 'c/CLAUDE.md': 'c' }),
  ]);
  const resolution = await resolver.forPaths(['a/f', 'b/f', 'c/f']);
  expect(pathsOf(resolution)).toEqual(['a/AGENTS.override.md']);
  expect(told(resolution)).toEqual(['context_file_oversized b/AGENTS.md', 'file_not_utf8 c/AGENTS.md']);
});

test('what is no regular file is passed over and named', async () => {
  const { resolver } = projectOf([
    { path: 'a/AGENTS.md', fifo: true },
    { path: 'b/AGENTS.md', folder: true },
    { path: 'c/AGENTS.md', symlink: 'gone.md' },
    ...files({ 'b/CLAUDE.md': 'b', 'c/CLAUDE.md': 'c' }),
  ]);
  const resolution = await resolver.forPaths(['a/f', 'b/f', 'c/f']);
  expect(pathsOf(resolution)).toEqual(['b/CLAUDE.md', 'c/CLAUDE.md']);
  expect(resolution.diagnostics.map(({ severity, code, path }) => [severity, code, path])).toEqual([
    ['error', 'not_a_regular_file', 'a/AGENTS.md'],
    ['error', 'not_a_regular_file', 'b/AGENTS.md'],
    ['error', 'symlink_dangling', 'c/AGENTS.md'],
  ]);
});

test('a touch outside the root contributes nothing, not even a diagnostic', async () => {
  const { resolver } = projectOf(files({ '.elowen/rules/bad.md': '---\n', '.elowen/rules/a.md': rule(['**']) }));
  expect(await resolver.forPaths(['../elsewhere/x', '/etc/hosts'])).toEqual({
    modules: [],
    unavailable: [],
    diagnostics: [],
  });
});

test('closed folders hold no nested files, and the rules still match in them', async () => {
  const { resolver } = projectOf(
    files({
      'node_modules/x/AGENTS.md': '1',
      'a/.venv/AGENTS.md': '2',
      'vendor/AGENTS.md': '3',
      'a/vendor/AGENTS.md': '4',
      '.git/hooks/AGENTS.md': '5',
      'a/.elowen/AGENTS.md': '6',
      '.elowen/rules/all.md': rule(['**/f']),
    }),
  );
  const touches = ['node_modules/x/f', 'a/.venv/f', 'vendor/f', 'a/vendor/f', '.git/hooks/f', 'a/.elowen/f'];
  const resolution = await resolver.forPaths(touches);
  expect(pathsOf(resolution)).toEqual(['a/vendor/AGENTS.md', '.elowen/rules/all.md']);
  expect(resolution.diagnostics).toEqual([]);
});

test('a folder with its own repository is a border, named once at its top', async () => {
  const { resolver } = projectOf([
    ...files({
      'clone/.git/HEAD': 'ref: refs/heads/main\n',
      'clone/AGENTS.md': '1',
      'clone/src/AGENTS.md': '2',
      'tree/f/.git': 'gitdir: /elsewhere/.git/worktrees/f\n',
      'tree/f/AGENTS.md': '3',
      '.elowen/rules/all.md': rule(['**']),
    }),
    { path: 'spurious/.git', folder: true },
    ...files({ 'spurious/AGENTS.md': '4' }),
  ]);
  const resolution = await resolver.forPaths(['clone/src/x', 'tree/f/x', 'spurious/x']);
  expect(pathsOf(resolution)).toEqual(['spurious/AGENTS.md', '.elowen/rules/all.md']);
  expect(told(resolution)).toEqual(['nested_repository clone', 'nested_repository tree/f']);
});

test('a submodule of the root is inside, by a relative and by an absolute pointer', async () => {
  const { resolver, source } = projectOf(
    files({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/modules/lib/HEAD': 'x\n',
      'lib/.git': 'gitdir: ../.git/modules/lib\n',
      'lib/AGENTS.md': 'lib',
      'abs/AGENTS.md': 'abs',
      'not/.git': 'gitdir: ../.git/modules\n',
      'not/AGENTS.md': 'not',
    }),
  );
  source.tree.write('abs/.git', `gitdir: ${source.tree.at('.git/modules/abs')}\n`);
  const resolution = await resolver.forPaths(['lib/x', 'abs/x', 'not/x']);
  expect(pathsOf(resolution)).toEqual(['abs/AGENTS.md', 'lib/AGENTS.md']);
  expect(told(resolution)).toEqual(['nested_repository not']);
});

test('a submodule of a linked worktree is inside that worktree', async () => {
  const { resolver } = projectOf(
    files({
      '.git': 'gitdir: /main/.git/worktrees/w\n',
      'lib/.git': 'gitdir: /main/.git/worktrees/w/modules/lib\n',
      'lib/AGENTS.md': 'lib',
      'other/.git': 'gitdir: /main/.git/worktrees/v/modules/other\n',
      'other/AGENTS.md': 'other',
    }),
  );
  const resolution = await resolver.forPaths(['lib/x', 'other/x']);
  expect(pathsOf(resolution)).toEqual(['lib/AGENTS.md']);
});

test('where it cannot be told whether a repository begins, nothing behind it is delivered', async () => {
  const { resolver, source } = projectOf(files({ 'a/.git': 'gitdir: ../.git/modules/a\n', 'a/AGENTS.md': 'a' }));
  source.tree.chmod('a/.git', 0);
  const resolution = await resolver.forPaths(['a/x']);
  expect(pathsOf(resolution)).toEqual([]);
  expect(told(resolution)).toEqual(['file_unreadable a/.git']);
});

test('a layout can cross repositories and close other folders', async () => {
  const layout = { ...defaultLayout, nestedRepositories: 'cross' as const, closedFolders: ['third'] };
  const tree = files({
    'c/.git/HEAD': 'x',
    'c/AGENTS.md': 'c',
    'a/third/AGENTS.md': 't',
    'node_modules/AGENTS.md': 'n',
  });
  const { resolver } = projectOf(tree, { layout });
  const resolution = await resolver.forPaths(['c/x', 'a/third/x', 'node_modules/x']);
  expect(pathsOf(resolution)).toEqual(['c/AGENTS.md', 'node_modules/AGENTS.md']);
});

test('no file of a repository is looked for where no candidate was found', async () => {
  const { resolver, source } = projectOf(files({ 'a/b/x': '1', 'c/.git/HEAD': 'x' }));
  await resolver.forPaths(['a/b/x', 'c/x']);
  expect(source.counts.reads).toBe(3 * defaultLayout.candidateNames.length);
});

test('a touch through a link counts by its name and by its real place', async () => {
  const { resolver } = projectOf([
    ...files({ 'packages/ui/AGENTS.md': 'ui', 'packages/ui/src/x.ts': 'x', 'apps/AGENTS.md': 'apps' }),
    ...files({ '.elowen/rules/real.md': rule(['packages/ui/**']), '.elowen/rules/name.md': rule(['apps/ui/**']) }),
    { path: 'apps/ui', symlink: '../packages/ui' },
  ]);
  const explained = await resolver.explain(['apps/ui/src/x.ts']);
  expect(explained.delivered.map(({ module, matched }) => [module.relPath, matched])).toEqual([
    ['apps/AGENTS.md', [{ path: 'apps/ui/src/x.ts', glob: undefined }]],
    ['packages/ui/AGENTS.md', [{ path: 'packages/ui/src/x.ts', glob: undefined }]],
    ['.elowen/rules/name.md', [{ path: 'apps/ui/src/x.ts', glob: 'apps/ui/**' }]],
    ['.elowen/rules/real.md', [{ path: 'packages/ui/src/x.ts', glob: 'packages/ui/**' }]],
  ]);
});

test('through a link that leads outside, rules match by the name and nothing beyond is read', async () => {
  const { resolver } = projectOf([
    ...files({ '../mount/AGENTS.md': 'not yours', '../mount/x.csv': '1', 'data/AGENTS.md': 'ours' }),
    ...files({ '.elowen/rules/csv.md': rule(['**/*.csv']) }),
    { path: 'data/mount', symlink: '../../mount' },
  ]);
  const resolution = await resolver.forPaths(['data/mount/x.csv']);
  expect(pathsOf(resolution)).toEqual(['data/AGENTS.md', '.elowen/rules/csv.md']);
});

test('a candidate that is a link inside keeps its own path, one that leads out is refused', async () => {
  const { resolver } = projectOf([
    ...files({ 'shared/text.md': 'shared\n', '../outside.md': 'secret\n' }),
    { path: 'a/AGENTS.md', symlink: '../shared/text.md' },
    { path: 'b/AGENTS.md', symlink: '../../outside.md' },
  ]);
  const resolution = await resolver.forPaths(['a/x', 'b/x']);
  expect(resolution.modules.map(({ relPath, content }) => [relPath, content])).toEqual([['a/AGENTS.md', 'shared\n']]);
  expect(told(resolution)).toEqual(['instruction_module_escape b/AGENTS.md']);
});

test('the root file alone may be a link to anywhere', async () => {
  const { resolver } = projectOf([
    ...files({ '../outside.md': 'from elsewhere\n' }),
    { path: 'AGENTS.md', symlink: '../outside.md' },
  ]);
  const { modules, diagnostics } = await resolver.startup();
  expect(modules.map(({ relPath, origin, content }) => [relPath, origin, content])).toEqual([
    ['AGENTS.md', 'root', 'from elsewhere\n'],
  ]);
  expect(diagnostics).toEqual([]);
});

test('a target that ignores case takes each folder and each candidate once', async () => {
  const { resolver } = projectOf(
    files({ 'Src/agents.md': 's', 'Vendor/AGENTS.md': 'v', '.elowen/rules/a.md': rule(['SRC/**']) }),
    { memory: { ignoresCase: true } },
  );
  const resolution = await resolver.forPaths(['src/x.ts', 'SRC/y.ts', 'vendor/z']);
  expect(resolution.modules.map(({ relPath }) => relPath.toLowerCase())).toEqual([
    'src/agents.md',
    '.elowen/rules/a.md',
  ]);
  expect(resolution.diagnostics).toEqual([]);
});

test('a byte order mark is no part of a nested file, and frontmatter in it is text', async () => {
  const { resolver } = projectOf(files({ 'a/AGENTS.md': '\ufeff# A\n', 'b/AGENTS.md': '---\npaths: [x]\n---\nB\n' }));
  const { modules } = await resolver.forPaths(['a/x', 'b/x']);
  expect(modules.map(({ content }) => content)).toEqual(['# A\n', '---\npaths: [x]\n---\nB\n']);
});
