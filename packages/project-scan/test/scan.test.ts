import { createMemorySource, type TreeSpec } from '@codicil/file-source';
import { createInstructionResolver } from '@codicil/instruction-modules';
import { listProject, type ProjectScan, scanProject } from '@codicil/project-scan';
import { expect, test } from 'vitest';

async function scan(tree: TreeSpec): Promise<ProjectScan> {
  const source = createMemorySource(tree);
  return scanProject({ source, resolver: createInstructionResolver(source) });
}

const files = (...paths: readonly string[]): TreeSpec => paths.map((path) => ({ path, text: '' }));
const rule = (path: string, ...globs: readonly string[]) => ({
  path,
  text: `---\npaths:\n${globs.map((glob) => `  - "${glob}"\n`).join('')}---\nbody of ${path}\n`,
});
const told = ({ diagnostics }: ProjectScan) => diagnostics.map(({ code, path }) => `${path} ${code}`);

test('each module has its reach: startup modules all files, nested ones those below, rules those that a glob matches', async () => {
  const { modules } = await scan([
    { path: 'AGENTS.md', text: 'root\n' },
    { path: 'src/AGENTS.md', text: 'nested\n' },
    rule('.elowen/rules/ts.md', '**/*.ts', 'docs/**'),
    ...files('src/a.ts', 'src/deep/b.ts', 'docs/c.ts', 'x.js'),
  ]);
  expect(modules.map(({ relPath, loads, files: count }) => [relPath, loads, count])).toEqual([
    ['AGENTS.md', 'startup', 7],
    ['src/AGENTS.md', 'on touch', 3],
    ['.elowen/rules/ts.md', 'on touch', 3],
  ]);
  expect(modules.at(-1)?.globs).toEqual([
    { glob: '**/*.ts', files: 3 },
    { glob: 'docs/**', files: 1 },
  ]);
});

test('a rule whose globs match nothing never loads, and each idle glob is told where it stands', async () => {
  const result = await scan([
    rule('.elowen/rules/a.md', 'gone/**', 'SRC/**', 'caf\u00e9/**', '*.css'),
    ...files('src/a.ts', 'cafe\u0301/x', 'deep/y.css'),
  ]);
  expect(result.modules.map(({ loads }) => loads)).toEqual(['never']);
  expect(result.diagnostics.map(({ code, range }) => [code, range?.start.line])).toEqual([
    ['glob_matches_nothing', 3],
    ['glob_case_mismatch', 4],
    ['glob_unicode_mismatch', 5],
    ['glob_root_only', 6],
  ]);
});

test('what Git ignores is not counted, at any depth, and what is taken back is', async () => {
  const source = createMemorySource([
    { path: '.gitignore', text: 'dist/\n*.log\n!keep.log\n' },
    { path: 'sub/.gitignore', text: '/local\n' },
    { path: '.git/info/exclude', text: 'secret\n' },
    ...files('a.ts', 'dist/b.js', 'x.log', 'keep.log', 'sub/local/c', 'sub/d', 'local/e', 'secret', '.git/HEAD'),
  ]);
  const listed = await listProject(source);
  expect([...listed.files].sort()).toEqual(
    ['.gitignore', 'a.ts', 'keep.log', 'local/e', 'sub/.gitignore', 'sub/d'].sort(),
  );
});

test('a module without text, a link that was checked out as text, a nested rules tree and an upper-case ending are told', async () => {
  const result = await scan([
    { path: 'AGENTS.md', text: 'docs/rules.md' },
    { path: 'docs/rules.md', text: 'x' },
    { path: 'src/AGENTS.md', text: ' \n' },
    { path: 'packages/x/.elowen/rules/a.md', text: 'x' },
    { path: '.elowen/rules/b.MD', text: 'x' },
  ]);
  expect(told(result)).toEqual([
    '.elowen/rules/b.MD file_name_case',
    'AGENTS.md symlink_as_text',
    'packages/x/.elowen/rules nested_rules_tree',
    'src/AGENTS.md module_empty',
  ]);
});

test('the text of a rule that no file brings in is looked at too', async () => {
  const result = await scan([
    { path: '.elowen/rules/empty.md', text: '---\npaths: ["lib/**/?.ts"]\n---\n' },
    { path: '.elowen/rules/link.md', text: '---\npaths: ["lib/*"]\n---\n../../docs/a.md' },
    { path: 'docs/a.md', text: 'x' },
  ]);
  expect(told(result)).toEqual([
    '.elowen/rules/empty.md module_empty',
    '.elowen/rules/empty.md glob_matches_nothing',
    '.elowen/rules/link.md symlink_as_text',
    '.elowen/rules/link.md glob_matches_nothing',
  ]);
  expect(result.modules.map(({ module, loads }) => [module, loads])).toEqual([
    [undefined, 'never'],
    [undefined, 'never'],
  ]);
});

test('the rules of a dependency, and of another repository, are their own business', async () => {
  const result = await scan([
    { path: 'node_modules/x/.elowen/rules/a.md', text: 'x' },
    { path: 'vendor/x/.elowen/rules/a.md', text: 'x' },
    { path: 'clone/.git/HEAD', text: 'x' },
    { path: 'clone/deep/.elowen/rules/a.md', text: 'x' },
  ]);
  expect(told(result)).toEqual([]);
});

test('what the resolver says is part of the scan', async () => {
  const result = await scan([
    { path: '.elowen/rules/a.md', text: '---\npath: x\n---\n' },
    { path: 'src/AGENTS.md', text: '\u202e hidden\n' },
  ]);
  expect(told(result)).toEqual(['.elowen/rules/a.md frontmatter_unknown_key', 'src/AGENTS.md hidden_characters']);
  expect(result.notApplied).toMatchObject([{ relPath: '.elowen/rules/a.md', reason: 'refused' }]);
});

test('a folder that cannot be listed is told and not taken for an empty one', async () => {
  const source = createMemorySource([{ path: 'closed', folder: true, mode: 0 }, ...files('a.ts')]);
  const listed = await listProject(source);
  expect(listed.diagnostics.map(({ code, path }) => [code, path])).toEqual([['file_unreadable', 'closed']]);
});

test('a scan can be stopped', async () => {
  const source = createMemorySource(files('a.ts'));
  const reason = new Error('enough');
  const resolver = createInstructionResolver(source);
  await expect(scanProject({ source, resolver, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
