import { expect, test } from 'vitest';
import type { TreeEntry } from '../src/replay/scenario.ts';
import { type Said, said } from './fake-terminal.ts';
import { projectIn } from './lay-down.ts';

const TREE: readonly TreeEntry[] = [
  { path: 'AGENTS.md', text: 'root\n' },
  { path: 'src/AGENTS.md', text: 'rules of src\n\nwith two paragraphs\n' },
  { path: 'src/a.ts', text: 'x' },
  { path: 'src/empty.ts', text: '' },
  { path: 'src/dangling.ts', symlink: 'gone.ts' },
  { path: 'src/away.ts', symlink: '../../outside.md' },
  { path: 'docs/AGENTS.md', text: 'rules of docs\n' },
  { path: 'docs/AGENTS.override.md', text: 'other rules of docs\n' },
  { path: 'node_modules/x/AGENTS.md', text: 'rules of a dependency\n' },
  { path: '.elowen/rules/api.md', text: '---\npaths:\n  - "src/*.ts"\n---\nAPI rules\n' },
  { path: '.elowen/rules/db.md', text: '---\npaths:\n  - "db/**"\n---\nDB \u200brules\n' },
  { path: '.elowen/rules/braces.md', text: '---\npaths:\n  - "*.{ts,js}"\n---\nx\n' },
];

async function explained(args: readonly string[], tree = TREE): Promise<Said> {
  const { root, remove } = projectIn(tree);
  try {
    const { code, out, err } = await said(['explain', '--root', root, ...args]);
    return { code, out: out.replaceAll(root, 'ROOT'), err: err.replaceAll(root, 'ROOT') };
  } finally {
    remove();
  }
}

test.each(['src/new.ts', 'src/dangling.ts'])(
  'explain: of %s, which is not there, it is said so and what would apply',
  async (path) => {
    const { code, out } = await explained([path]);
    expect(code).toBe(0);
    expect(out).toContain(`${path} is not there; this is what would apply to it`);
    expect(out).toContain('src/AGENTS.md');
    expect(out).toContain('.elowen/rules/api.md');
  },
);

test.each(['src/a.ts', 'src/empty.ts', 'src/away.ts'])(
  'explain: nothing is said of %s, which is there',
  async (path) => {
    const { code, out, err } = await explained([path]);
    expect([code, err]).toEqual([0, '']);
    expect(out).not.toContain('is not there');
  },
);

test.each(['../outside.md', '/etc/hosts'])('explain: %s lies outside, which is a misuse', async (path) => {
  const { code, out, err } = await explained([path]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toBe(`${path} lies outside the project ROOT; name another with --root\n`);
});

test.each(['src', 'src/', '.'])('explain: %s is a folder, which is a misuse', async (path) => {
  const { code, out, err } = await explained([path]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toBe(`${path} is a folder; name a file in it\n`);
});

test('explain: beside a misuse the other paths are still explained', async () => {
  const { code, out, err } = await explained(['src/a.ts', '../x', 'docs']);
  expect(code).toBe(2);
  expect(out).toContain('When the agent touches src/a.ts\n');
  expect(err.split('\n')).toHaveLength(3);
});

test('explain: a program is told what each path is', async () => {
  const { out } = await explained(['--json', 'src/a.ts', 'src/new.ts', 'src', '../x']);
  expect(JSON.parse(out).paths).toEqual([
    { path: 'src/a.ts', kind: 'file' },
    { path: 'src/new.ts', kind: 'missing' },
    { path: 'src', kind: 'folder' },
    { path: '../x', kind: 'outside' },
  ]);
});

test('explain: a diagnostic of a rule that the path is not about is named, not shown', async () => {
  const { out } = await explained(['src/a.ts']);
  expect(out).not.toMatch(/^\.elowen\/rules\/(db|braces)\.md:/m);
  expect(out).toContain('.elowen/rules/db.md  no glob matches: db/**; `codicil check` shows hidden_characters');
  expect(out).toContain('.elowen/rules/braces.md  no glob matches: *.{ts,js}; `codicil check` shows glob_braces');
  expect((await explained(['db/x'])).out).toMatch(/^\.elowen\/rules\/db\.md:.*hidden_characters/m);
});

test('explain: nested modules elsewhere are not delivered, and it is said where they apply', async () => {
  const { out } = await explained(['src/a.ts']);
  expect(out).toContain('docs/AGENTS.override.md  applies in and below docs/');
  expect(out).not.toContain('docs/AGENTS.md');
  expect(out).not.toContain('node_modules');
  const { notApplied } = JSON.parse((await explained(['--json', 'x.ts'])).out);
  expect(notApplied).toContainEqual({ relPath: 'src/AGENTS.md', reason: 'other_folder', globs: [] });
});

test('explain: --content prints the texts for people too', async () => {
  const { out } = await explained(['--content', 'src/a.ts']);
  expect(out).toContain('     | rules of src\n     |\n     | with two paragraphs\n');
  expect(out).toContain('     | root\n');
  expect((await explained(['--content'])).out).toContain('     | API rules\n');
  expect((await explained(['src/a.ts'])).out).not.toContain('| root');
});

test('explain: a fault has one severity, whichever command tells of it', async () => {
  const { root, remove } = projectIn(TREE);
  const checked = await said(['check', '--root', root, '--json']);
  const text = await said(['check', '--root', root]);
  remove();
  const of = (list: readonly { readonly code: string; readonly severity: string }[]) =>
    list.find(({ code }) => code === 'glob_braces')?.severity;
  expect(of(JSON.parse(checked.out))).toBe('warning');
  expect(of(JSON.parse((await explained(['--json', 'x'])).out).diagnostics)).toBe('warning');
  expect([checked.code, text.code]).toEqual([1, 1]);
  expect(text.out).toMatch(/0 errors, \d warnings \(1 of them fails the check\)\n$/);
});
