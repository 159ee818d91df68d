import { defaultLayout } from '@codicil/instruction-modules';
import { expect, test } from 'vitest';
import { files, pathsOf, projectOf, rule, told } from './over.ts';

test('the rules tree is walked into dot folders, and only .md counts', async () => {
  const { resolver } = projectOf(
    files({
      '.elowen/rules/b.md': 'b',
      '.elowen/rules/.hidden/c.md': 'c',
      '.elowen/rules/a/deep/d.md': 'd',
      '.elowen/rules/e.mdc': 'e',
      '.elowen/rules/f.MD': 'f',
      '.elowen/rules/g.md.bak': 'g',
      'packages/x/.elowen/rules/h.md': 'h',
    }),
  );
  const resolution = await resolver.startup();
  expect(pathsOf(resolution)).toEqual([
    '.elowen/rules/.hidden/c.md',
    '.elowen/rules/a/deep/d.md',
    '.elowen/rules/b.md',
  ]);
  expect(resolution.diagnostics).toEqual([]);
});

test('rules are ordered by code points of the whole path', async () => {
  const names = ['\u{1f600}.md', '\ufb00.md', 'a-b.md', 'a.md', 'a/x.md', 'a0.md', 'B.md', '\u00e9.md'];
  const tree = files(Object.fromEntries(names.map((name, index) => [`.elowen/rules/${name}`, `${index}\n`])));
  const { resolver } = projectOf(tree);
  expect(pathsOf(await resolver.startup())).toEqual(
    ['B.md', 'a-b.md', 'a.md', 'a/x.md', 'a0.md', '\u00e9.md', '\ufb00.md', '\u{1f600}.md'].map(
      (name) => `.elowen/rules/${name}`,
    ),
  );
});

test('all faults of a rule are told at once, and the rule is neither conditional nor global', async () => {
  const { resolver } = projectOf(
    files({ '.elowen/rules/r.md': '---\nglobs: x\npaths:\n  - "/abs"\n  - "./dot"\n  - 7\n---\nA\n' }),
  );
  const resolution = await resolver.startup();
  expect(pathsOf(resolution)).toEqual([]);
  expect(resolution.diagnostics.map(({ code, range }) => [code, range?.start.line])).toEqual([
    ['frontmatter_unknown_key', 2],
    ['glob_absolute', 4],
    ['glob_dot_segment', 5],
    ['paths_not_a_string', 6],
  ]);
  expect(pathsOf(await resolver.forPaths(['abs', 'dot']))).toEqual([]);
});

test.for([
  ['paths:\n', 'paths_not_a_list'],
  ['paths: {}\n', 'paths_not_a_list'],
  ['paths: "a/**, b/**"\n', 'paths_not_a_list'],
  ['paths: a/**\n', 'paths_not_a_list'],
  ['paths: true\n', 'paths_not_a_list'],
  ['paths: []\n', 'paths_empty'],
  ['paths: [null]\n', 'paths_not_a_string'],
  ['paths: [["a"]]\n', 'paths_not_a_string'],
  ['paths: [""]\n', 'glob_empty'],
  ['paths: ["a", "b/../c"]\n', 'glob_parent_segment'],
  ['applyTo: "**"\n', 'frontmatter_unknown_key'],
])('the block %j is refused as %s', async ([block, code]) => {
  const { resolver } = projectOf(files({ '.elowen/rules/r.md': `---\n${block}---\nA\n`, '.elowen/rules/s.md': 'S' }));
  const resolution = await resolver.startup();
  expect(pathsOf(resolution)).toEqual(['.elowen/rules/s.md']);
  const errors = resolution.diagnostics.filter(({ severity }) => severity === 'error');
  expect(told({ diagnostics: errors })).toEqual([`${code} .elowen/rules/r.md`]);
});

test('the hint of a comma-joined string shows the list form', async () => {
  const { resolver } = projectOf(files({ '.elowen/rules/r.md': '---\npaths: "a/**, b/**"\n---\nA\n' }));
  const { diagnostics } = await resolver.startup();
  expect(diagnostics[0]?.hint).toContain('"a/**"');
  expect(diagnostics[0]?.hint).toContain('"b/**"');
});

test('a doubtful glob keeps its rule and points at the item', async () => {
  const { resolver } = projectOf(files({ '.elowen/rules/r.md': rule(['src/**', '**/*.{ts,tsx}'], 'A\n') }));
  const resolution = await resolver.forPaths(['src/a.ts']);
  expect(pathsOf(resolution)).toEqual(['.elowen/rules/r.md']);
  expect(told(resolution)).toEqual(['glob_braces .elowen/rules/r.md']);
  expect(resolution.diagnostics[0]?.range?.start.line).toBe(4);
});

test('more globs than the layout allows refuse the rule', async () => {
  const layout = { ...defaultLayout, maxGlobs: 2 };
  const tree = files({ '.elowen/rules/a.md': rule(['a', 'b', 'c']), '.elowen/rules/b.md': rule(['a', 'b']) });
  const { resolver } = projectOf(tree, { layout });
  const resolution = await resolver.forPaths(['a']);
  expect(pathsOf(resolution)).toEqual(['.elowen/rules/b.md']);
  expect(told(resolution)).toEqual(['glob_too_long .elowen/rules/a.md']);
});

test('entries that may not be used are named and do not hurt their neighbours', async () => {
  const { resolver } = projectOf([
    ...files({ '../outside.md': 'o', '.elowen/rules/ok.md': 'ok', 'more/x.md': 'x', 'shared/s.md': 's' }),
    { path: '.elowen/rules/escape.txt', symlink: '../../../outside.md' },
    { path: '.elowen/rules/escape.md', symlink: '../../../outside.md' },
    { path: '.elowen/rules/folder', symlink: '../../more' },
    { path: '.elowen/rules/loop', symlink: '..' },
    { path: '.elowen/rules/gone.md', symlink: 'nowhere' },
    { path: '.elowen/rules/pipe.md', fifo: true },
    { path: '.elowen/rules/pipe', fifo: true },
    { path: '.elowen/rules/inside.md', symlink: '../../shared/s.md' },
    { path: '.elowen/rules/dir.md', folder: true },
  ]);
  const resolution = await resolver.startup();
  expect(pathsOf(resolution)).toEqual(['.elowen/rules/inside.md', '.elowen/rules/ok.md']);
  expect(told(resolution)).toEqual([
    'not_a_regular_file .elowen/rules/dir.md',
    'instruction_module_escape .elowen/rules/escape.md',
    'instruction_module_escape .elowen/rules/escape.txt',
    'symlink_refused .elowen/rules/folder',
    'symlink_dangling .elowen/rules/gone.md',
    'symlink_refused .elowen/rules/loop',
    'not_a_regular_file .elowen/rules/pipe.md',
  ]);
});

test('what is named like a rule and is no file is an error, and no rule; the lock of an editor is a warning', async () => {
  const { resolver } = projectOf([
    { path: '.elowen/rules/gone.md', symlink: 'nowhere' },
    { path: '.elowen/rules/.#open.md', symlink: 'me@machine.1234' },
    { path: '.elowen/rules/pipe.md', fifo: true },
    { path: '.elowen/rules/dir.md/a.md', text: 'a' },
    { path: '.elowen/rules/gone', symlink: 'nowhere' },
  ]);
  const { startup, notApplied, diagnostics } = await resolver.explain([]);
  expect(startup.map(({ relPath }) => relPath)).toEqual(['.elowen/rules/dir.md/a.md']);
  expect(diagnostics.map(({ severity, code, path }) => [severity, code, path])).toEqual([
    ['warning', 'symlink_dangling', '.elowen/rules/.#open.md'],
    ['error', 'not_a_regular_file', '.elowen/rules/dir.md'],
    ['error', 'symlink_dangling', '.elowen/rules/gone.md'],
    ['error', 'not_a_regular_file', '.elowen/rules/pipe.md'],
  ]);
  expect(notApplied).toEqual([]);
});

test.for([
  ['a file', [{ path: '.elowen/rules', text: 'x' }], 'not_a_directory'],
  [
    'a link',
    [
      { path: 'r/a.md', text: 'x' },
      { path: '.elowen/rules', symlink: '../r' },
    ],
    'symlink_refused',
  ],
  [
    'below a link',
    [
      { path: 'e/rules/a.md', text: 'x' },
      { path: '.elowen', symlink: 'e' },
    ],
    'symlink_refused',
  ],
  [
    'a link out of the project',
    [
      { path: '../shared/a.md', text: 'x' },
      { path: '.elowen/rules', symlink: '../../shared' },
    ],
    'instruction_module_escape',
  ],
  [
    'below a link out of the project',
    [
      { path: '../shared/rules/a.md', text: 'x' },
      { path: '.elowen', symlink: '../shared' },
    ],
    'instruction_module_escape',
  ],
  [
    'below a link to a folder outside that has no rules',
    [
      { path: '../shared/a.md', text: 'x' },
      { path: '.elowen', symlink: '../shared' },
    ],
    'instruction_module_escape',
  ],
  ['a link to nothing', [{ path: '.elowen/rules', symlink: 'gone' }], 'symlink_dangling'],
  ['below a link to nothing', [{ path: '.elowen', symlink: 'gone' }], 'symlink_dangling'],
  ['a link to itself', [{ path: '.elowen/rules', symlink: 'rules' }], 'symlink_refused'],
  ['unreadable', [{ path: '.elowen/rules', folder: true, mode: 0 }], 'file_unreadable'],
] as const)('a rules folder that is %s is named and gives nothing', async ([, tree, code]) => {
  const { resolver } = projectOf(tree);
  const resolution = await resolver.startup();
  expect(resolution.modules).toEqual([]);
  expect(told(resolution)).toEqual([`${code} .elowen/rules`]);
});

test('a folder over the cap of entries gives nothing, its neighbours do', async () => {
  const layout = { ...defaultLayout, maxEntries: 2 };
  const tree = files({
    '.elowen/rules/a/1.md': '1',
    '.elowen/rules/a/2.md': '2',
    '.elowen/rules/a/3.md': '3',
    '.elowen/rules/b.md': 'b',
  });
  const { resolver } = projectOf(tree, { layout });
  const resolution = await resolver.startup();
  expect(pathsOf(resolution)).toEqual(['.elowen/rules/b.md']);
  expect(told(resolution)).toEqual(['listing_truncated .elowen/rules/a']);
});

test('several rules folders are read in the order of their paths, one inside another once', async () => {
  const layout = { ...defaultLayout, rulesFolders: ['z/rules', 'a/rules', 'a/rules/sub'] };
  const tree = files({ 'z/rules/1.md': '1', 'a/rules/sub/2.md': '2', 'a/rules/3.md': '3', '.elowen/rules/4.md': '4' });
  const { resolver } = projectOf(tree, { layout });
  expect(pathsOf(await resolver.startup())).toEqual(['a/rules/3.md', 'a/rules/sub/2.md', 'z/rules/1.md']);
});

test('the same body under two paths is sent twice and named at the later one', async () => {
  const { resolver } = projectOf(
    files({
      '.elowen/rules/a.md': 'A\n',
      '.elowen/rules/b.md': rule(['**'], 'A\n'),
      '.elowen/rules/c.md': '',
      '.elowen/rules/d.md': '',
    }),
  );
  const resolution = await resolver.startup();
  expect(pathsOf(resolution)).toEqual(['.elowen/rules/a.md', '.elowen/rules/c.md', '.elowen/rules/d.md']);
  expect(told(resolution)).toEqual(['module_duplicate_content .elowen/rules/b.md']);
});

test('a rule is sent whole, its hash is that of what is sent, and its globs are its condition', async () => {
  const { resolver } = projectOf(
    files({ '.elowen/rules/a.md': '\ufeff---\r\npaths: ["src/**"]\r\n---\r\n\ufeffA\r\n\r\n---\r\n' }),
  );
  const { modules } = await resolver.forPaths(['src/x']);
  expect(modules).toEqual([
    {
      relPath: '.elowen/rules/a.md',
      origin: 'rule',
      condition: { kind: 'paths', globs: ['src/**'] },
      content: '\ufeffA\r\n\r\n---\r\n',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
});

test('a binary leftover of another system is named and does not hurt its neighbour', async () => {
  const { resolver } = projectOf([
    ...files({ '.elowen/rules/a.md': 'A\n' }),
    { path: '.elowen/rules/._a.md', bytes: Uint8Array.from([0, 5, 22, 7, 0, 2, 255, 254]) },
    { path: '.elowen/rules/nul.md', text: 'A\0B' },
  ]);
  const resolution = await resolver.startup();
  expect(pathsOf(resolution)).toEqual(['.elowen/rules/a.md']);
  expect(told(resolution)).toEqual(['file_not_utf8 .elowen/rules/._a.md', 'file_nul .elowen/rules/nul.md']);
});

test('a sample block in a body stays body, and a rule about rules is an ordinary rule', async () => {
  const body = '# About\n\n```yaml\n---\npaths: ["src/**"]\n---\n```\n@docs/flow.md\n</instruction_module>\n';
  const { resolver } = projectOf(files({ '.elowen/rules/about.md': rule(['.elowen/rules/**'], body) }));
  const { modules } = await resolver.forPaths(['.elowen/rules/about.md']);
  expect(modules.map(({ content }) => content)).toEqual([body]);
});

test('a rule with a thousand doubtful globs tells a few of each kind, and counts the rest', async () => {
  const globs = Array.from({ length: 900 }, (_, index) => `  - "x${index}/{a,b}"\n`).join('');
  const { resolver } = projectOf(files({ '.elowen/rules/r.md': `---\npaths:\n${globs}---\nA\n` }));
  const { diagnostics } = await resolver.startup();
  expect(diagnostics).toHaveLength(21);
  expect(diagnostics.at(-1)).toMatchObject({ code: 'glob_braces', facts: { more: 880 } });
});
