import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../src/program.ts';
import type { TreeEntry } from '../src/replay/scenario.ts';
import type { Terminal } from '../src/view/terminal.ts';
import { codicil } from './command.ts';
import { projectIn } from './lay-down.ts';

async function said(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let out = '';
  let err = '';
  const terminal: Terminal = {
    color: false,
    out(text) {
      out += text;
    },
    err(text) {
      err += text;
    },
    progress: () => ({ update: () => undefined, done: () => undefined }),
  };
  return { code: await run(args, terminal), out, err };
}

const TREE: readonly TreeEntry[] = [
  { path: 'AGENTS.md', text: 'root\n' },
  { path: '.elowen/rules/api.md', text: '---\npaths:\n  - "src/api/**"\n---\nAPI rules\n' },
  { path: '.elowen/rules/bad.md', text: '---\npaths:\n  - **/*.ts\n---\nx\n' },
  { path: 'src/api/a.ts', text: '' },
];

async function inProject<T>(use: (root: string) => Promise<T>, tree = TREE): Promise<T> {
  const { root, remove } = projectIn(tree);
  try {
    return await use(root);
  } finally {
    remove();
  }
}

test('the help teaches: where instructions live, every command, examples, exit codes', async () => {
  const { code, out } = await said('--help');
  expect(code).toBe(0);
  for (const word of ['.elowen/rules', 'explain', 'check', 'replay', 'journal', 'demo', 'Examples:', 'Exit codes:'])
    expect(out).toContain(word);
  for (const command of ['explain', 'check', 'replay', 'journal', 'demo'])
    expect((await said(command, '--help')).code).toBe(0);
});

test('the help fits eighty columns, and what is laid out in it stays as it is', async () => {
  const commands = [
    [],
    ['explain'],
    ['check'],
    ['replay'],
    ['demo'],
    ['journal', 'list'],
    ['journal', 'show'],
    ['journal', 'verify'],
  ];
  for (const command of commands) {
    const { out } = await said(...command, '--help');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  }
  const { out } = await said('--help');
  const places = out
    .split('\n')
    .slice(out.split('\n').indexOf('A project keeps its instructions in three places:') + 1);
  for (const line of places.slice(0, places.indexOf(''))) expect(line).toMatch(/^ {2}\S.* {2}\S|^ {31}\S/);
});

test('the version is that of the package', async () => {
  expect((await said('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  ['an unknown command', ['nonsense']],
  ['an unknown option', ['check', '--colour']],
  ['an unknown format', ['check', '--format', 'xml']],
  ['a root that is not there', ['check', '--root', '/there/is/no/such/folder']],
  ['a root that is a file', ['check', '--root', new URL(import.meta.url).pathname]],
  ['a scenario that is not there', ['replay', '/there/is/no/such.json']],
  ['a journal that is not there', ['journal', 'list', '--store', '/there/is/no/such.sqlite']],
  ['a request that is no number', ['journal', 'show', 'main', '--request', 'x']],
])('%s is a misuse: a sentence, and exit code 2', async (_, args) => {
  const { code, out, err } = await said(...args);
  expect([code, out]).toEqual([2, '']);
  expect(err.trim()).not.toBe('');
  expect(err).not.toMatch(/^\s+at /m);
});

test('explain shows what is delivered and why, and why the rest is not', async () => {
  await inProject(async (root) => {
    const { code, out } = await said('explain', '--root', root, 'src/api/a.ts');
    expect(code).toBe(0);
    expect(out).toContain('src/api/a.ts matches src/api/**');
    expect(out).toContain('.elowen/rules/bad.md  refused, see below');
    expect(out).toContain('frontmatter_alias');
  });
});

test('explain without a path gives the whole picture, as a table and as JSON', async () => {
  await inProject(async (root) => {
    const text = (await said('explain', '--root', root)).out;
    expect(text).toMatch(/\.elowen\/rules\/api\.md +on touch/);
    const json = JSON.parse((await said('explain', '--root', root, '--json')).out);
    expect(
      json.project.modules.map(({ relPath, files }: { relPath: string; files: number }) => [relPath, files]),
    ).toEqual([
      ['AGENTS.md', 4],
      ['.elowen/rules/api.md', 1],
    ]);
    expect(json.startup[0]).toMatchObject({ relPath: 'AGENTS.md', bytes: 5 });
  });
});

test('check ends with 1 when something is not used, points at the line, and shows the fix', async () => {
  await inProject(async (root) => {
    const { code, out } = await said('check', '--root', root);
    expect(code).toBe(1);
    expect(out).toMatch(/\.elowen\/rules\/bad\.md:3:5 .*frontmatter_alias/);
    expect(out).toContain('3 |   - **/*.ts');
    expect(out).toContain('^');
  });
});

test('check ends with 0 when there are warnings alone, and with 1 for braces and negation', async () => {
  const rule = (glob: string): readonly TreeEntry[] => [
    { path: '.elowen/rules/a.md', text: `---\npaths:\n  - "${glob}"\n---\nx\n` },
  ];
  expect((await inProject((root) => said('check', '--root', root), rule('gone/**'))).code).toBe(0);
  expect((await inProject((root) => said('check', '--root', root), rule('*.{ts,md}'))).code).toBe(1);
  expect((await inProject((root) => said('check', '--root', root), rule('!src/**'))).code).toBe(1);
});

test('check speaks JSON, SARIF and the annotations of GitHub', async () => {
  await inProject(async (root) => {
    expect(JSON.parse((await said('check', '--root', root, '--json')).out)[0].code).toBe('frontmatter_alias');
    const sarif = JSON.parse((await said('check', '--root', root, '--format', 'sarif')).out);
    expect(sarif.version).toBe('2.1.0');
    expect(sarif.runs[0].results[0].ruleId).toBe('frontmatter_alias');
    expect((await said('check', '--root', root, '--format', 'github')).out).toMatch(
      /^::error file=\.elowen\/rules\/bad\.md,line=3,/m,
    );
  });
});

function scenarioFile(content: object | string): { readonly file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'codicil-scenario-'));
  const file = join(folder, 'scenario.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function replayed(content: object | string) {
  const { file, remove } = scenarioFile(content);
  const result = await said('replay', file, '--json');
  remove();
  return result;
}

test.each([
  ['no JSON', '{', /is not JSON/],
  ['neither tree nor root', { steps: [] }, /either `tree` or `root`/],
  ['an unknown step', { tree: [], steps: [{ dance: true }] }, /steps\.0: not a step/],
  ['another lifecycle', { tree: [], lifecycle: 'baseline', steps: [] }, /lifecycle/],
])('a scenario with %s is a misuse that names the place', async (_, content, message) => {
  const { code, err } = await replayed(content);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test.each([
  ['remove what is not there', { remove: { path: 'x' } }],
  ['write far outside', { write: { path: '../../../x', text: '' } }],
  ['go back too far', { rewind: 9 }],
  ['go to a session that is not there', { session: 'nobody' }],
  ['fork onto a session that is there', { fork: 'main' }],
])('a step that would %s is an error that names the step', async (_, step) => {
  const { code, err } = await replayed({ tree: TREE, steps: [{ prompt: 'go' }, step] });
  expect(code).toBe(2);
  expect(err).toMatch(/^step 2, /);
});

test.each(['sqlite', 'jsonl', 'memory'])('a scenario gives the same requests on the journal %s', async (journal) => {
  const steps = [
    { prompt: 'go' },
    { touch: [{ op: 'read', path: 'src/api/a.ts' }] },
    { restart: true },
    { write: { path: '.elowen/rules/api.md', text: '---\npaths: ["src/api/**"]\n---\nOther rules\n' } },
    { touch: [{ op: 'edit', path: 'src/api/a.ts' }], kill: 'before-boundary' },
    { compact: { keepLast: 1 } },
    { prompt: 'on' },
    { fork: 'child' },
    { session: 'child' },
    { remove: { path: '.elowen/rules/api.md' } },
    { touch: [{ op: 'read', path: 'src/api/b.ts' }], parallel: true },
    { spawn: 'helper' },
    { prompt: 'help' },
  ];
  const { code, out, err } = await replayed({ tree: TREE, journal, steps });
  expect([code, err]).toEqual([0, '']);
  const requests = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const delivered = requests.map(({ session, messages }) => [
    session,
    messages
      .filter(({ kind }: { kind: string }) => kind === 'instructions')
      .map(({ text }: { text: string }) => text.split('\n')[0]),
  ]);
  const first = '<instruction_module path=".elowen/rules/api.md">';
  const later = '<instruction_module path=".elowen/rules/api.md" supersedes="earlier version">';
  expect(delivered).toEqual([
    ['main', []],
    ['main', [first]],
    ['main', [first, later]],
    ['child', [first, later, '<instruction_module path=".elowen/rules/api.md" removed="no longer applies"/>']],
    ['helper', []],
  ]);
});

test('the demonstration ends by itself, cleans up, and leaves a journal that is whole and shows each request', async () => {
  const { root, remove } = projectIn(TREE);
  const git = (...args: readonly string[]): string =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: root, encoding: 'utf8' })
      .stdout;
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  const { status, stdout, stderr } = codicil(['demo'], { cwd: root });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('delivered .elowen/rules/api.md');
  expect(stdout).toContain('touches that wait there: src/api/a.ts');
  expect(stdout).toContain('superseding the earlier version');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(existsSync(join(root, '.codicil', 'journal.sqlite'))).toBe(true);

  const verified = codicil(['journal', 'verify', '--json'], { cwd: root });
  expect(JSON.parse(verified.stdout)).toMatchObject({ sessions: 1, problems: [], whole: true });
  const listed = JSON.parse(codicil(['journal', 'list', '--json'], { cwd: root }).stdout);
  expect(listed[0]).toMatchObject({ id: 'demo-1', delivered: 3 });
  const shown = JSON.parse(codicil(['journal', 'show', 'demo-1', '--request', '2', '--json'], { cwd: root }).stdout);
  expect(shown).toMatchObject({ request: 2, proved: true });
  expect(codicil(['journal', 'show', 'demo-1', '--request', '99'], { cwd: root }).status).toBe(2);
  expect(codicil(['journal', 'show', 'nobody'], { cwd: root }).stderr).toContain('demo-1');
  remove();
});
