import { defaultLayout } from '@codicil/instruction-modules';
import { expect, test } from 'vitest';
import { files, projectOf, reasonsOf, rule } from './over.ts';

test('every module is either delivered with its reasons or told with why not', async () => {
  const { resolver } = projectOf([
    ...files({
      'AGENTS.md': 'root',
      'CLAUDE.md': 'lower',
      'src/AGENTS.md': 's',
      'src/CLAUDE.md': 'c',
      '.elowen/rules/all.md': 'all',
      '.elowen/rules/both.md': rule(['src/**', '**/*.ts']),
      '.elowen/rules/none.md': rule(['db/**', 'sql/**']),
      '.elowen/rules/bad.md': '---\npath: x\n---\n',
      'node_modules/x/AGENTS.md': 'n',
      'clone/.git/HEAD': 'x',
      'clone/AGENTS.md': 'c',
      '../outside.md': 'o',
    }),
    { path: '.elowen/rules/closed.md', text: 'x', mode: 0 },
    { path: '.elowen/rules/out.md', symlink: '../../../outside.md' },
    { path: 'big/AGENTS.md', text: 'x'.repeat(defaultLayout.maxFileBytes + 1) },
  ]);
  const touches = ['src/a.ts', 'node_modules/x/i.js', 'clone/y', 'big/z', 'src/b.ts'];
  const explanation = await resolver.explain(touches);
  expect(explanation.startup.map(({ relPath }) => relPath)).toEqual(['AGENTS.md', '.elowen/rules/all.md']);
  expect(explanation.delivered.map(({ module, matched }) => [module.relPath, matched])).toEqual([
    [
      'src/AGENTS.md',
      [
        { path: 'src/a.ts', glob: undefined },
        { path: 'src/b.ts', glob: undefined },
      ],
    ],
    [
      '.elowen/rules/both.md',
      [
        { path: 'src/a.ts', glob: 'src/**' },
        { path: 'src/a.ts', glob: '**/*.ts' },
        { path: 'src/b.ts', glob: 'src/**' },
        { path: 'src/b.ts', glob: '**/*.ts' },
      ],
    ],
  ]);
  expect(reasonsOf(explanation)).toEqual({
    '.elowen/rules/bad.md': 'refused',
    '.elowen/rules/closed.md': 'unavailable',
    '.elowen/rules/none.md': 'no_glob_matches',
    '.elowen/rules/out.md': 'refused',
    'CLAUDE.md': 'shadowed',
    'big/AGENTS.md': 'refused',
    'clone/AGENTS.md': 'nested_repository',
    'node_modules/x/AGENTS.md': 'dependency_folder',
    'src/CLAUDE.md': 'shadowed',
  });
  expect(explanation.notApplied.find(({ reason }) => reason === 'no_glob_matches')?.globs).toEqual(['db/**', 'sql/**']);
});

test('an explanation holds what startup and the touches give, and nothing is said twice', async () => {
  const { resolver } = projectOf(
    files({ 'AGENTS.md': 'r', 'a/AGENTS.md': 'a\u200b', '.elowen/rules/a.md': 'a', '.elowen/rules/b.md': '---\n' }),
  );
  const explanation = await resolver.explain(['a/x']);
  const [startup, touched] = [await resolver.startup(), await resolver.forPaths(['a/x'])];
  expect(explanation.startup).toEqual(startup.modules);
  expect(explanation.delivered.map(({ module }) => module)).toEqual(touched.modules);
  expect(explanation.diagnostics.map(({ code }) => code)).toEqual(['frontmatter_unterminated', 'hidden_characters']);
});

test('without touches an explanation is that of the startup', async () => {
  const { resolver } = projectOf(files({ '.elowen/rules/a.md': rule(['x']) }));
  const { startup, delivered, notApplied } = await resolver.explain([]);
  expect({ startup, delivered, notApplied }).toEqual({
    startup: [],
    delivered: [],
    notApplied: [{ relPath: '.elowen/rules/a.md', reason: 'no_glob_matches', globs: ['x'] }],
  });
});

test('a touched file that repeats a text of the startup is told, as two rules that repeat each other are', async () => {
  const { resolver } = projectOf(files({ 'AGENTS.md': 'same', 'a/AGENTS.md': 'same', '.elowen/rules/a.md': 'other' }));
  const { diagnostics } = await resolver.explain(['a/x']);
  expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([['module_duplicate_content', 'a/AGENTS.md']]);
});
