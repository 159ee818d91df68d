import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createMemoryJournal, sessionId } from '@codicil/journal-records';
import { openSession } from '@codicil/session';
import { expect, test } from 'vitest';
import { openProject } from '../src/project.ts';
import type { TreeEntry } from '../src/replay/scenario.ts';
import { codicil } from './command.ts';
import { projectIn } from './lay-down.ts';

interface Told {
  readonly code: string;
  readonly path: string;
}

/** Runs both commands over a tree; what they say of it, as `path code`. */
function told(root: string, touch: string): readonly string[] {
  const explained = codicil(['explain', '--root', root, '--json', '--', touch]);
  const checked = codicil(['check', '--root', root, '--json']);
  expect(explained.status).toBe(0);
  expect([0, 1]).toContain(checked.status);
  expect(explained.stderr + checked.stderr).not.toMatch(/^\s+at /m);
  const diagnostics: readonly Told[] = [...JSON.parse(explained.stdout).diagnostics, ...JSON.parse(checked.stdout)];
  return [...new Set(diagnostics.map(({ path, code }) => `${path} ${code}`))].sort();
}

function withTree<T>(tree: readonly TreeEntry[], use: (root: string) => T): T {
  const { root, remove } = projectIn(tree);
  const result = use(root);
  if (result instanceof Promise) return result.finally(remove) as T;
  remove();
  return result;
}

const rule = (path: string, text: string): TreeEntry => ({ path: `.elowen/rules/${path}`, text });

test('ten megabytes of frontmatter are refused by their size', () => {
  const block = `---\n${'x: y\n'.repeat(2_000_000)}---\nbody\n`;
  expect(withTree([rule('a.md', block)], (root) => told(root, 'x.ts'))).toEqual([
    '.elowen/rules/a.md context_file_oversized',
  ]);
});

test('a block of two hundred kilobytes in a file below the cap is refused without being parsed', () => {
  const block = `---\n${'x: y\n'.repeat(40_000)}---\nbody\n`;
  expect(withTree([rule('a.md', block)], (root) => told(root, 'x.ts'))).toEqual([
    '.elowen/rules/a.md frontmatter_too_large',
  ]);
});

test('aliases that would expand to gigabytes are refused as aliases', () => {
  const names = [...'abcdefghij'];
  const lines = names.map(
    (name, index) =>
      `${name}: &${name} [${
        index === 0
          ? '"x"'
          : Array(9)
              .fill(`*${names[index - 1]}`)
              .join(', ')
      }]`,
  );
  const bomb = `---\n${lines.join('\n')}\npaths: *j\n---\nbody\n`;
  expect(withTree([rule('a.md', bomb)], (root) => told(root, 'x.ts'))).toContain(
    '.elowen/rules/a.md frontmatter_alias',
  );
});

test.each([
  ['brackets', `paths: ${'['.repeat(8_000)}`],
  ['braces', `paths: ${'{a: '.repeat(3_000)}`],
  ['indentation', Array.from({ length: 120 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ['one long line', `paths: "${'a'.repeat(16_000)}"`],
  [
    'many keys',
    Array.from({ length: 3_000 }, (_, index) => `k${index}: 1`)
      .join('\n')
      .slice(0, 16_000),
  ],
  ['a key of the language itself', '__proto__: 1\nconstructor: 2\npaths: ["a/**"]'],
])('nested and hostile YAML, %s, is refused', (_, block) => {
  const codes = withTree([rule('a.md', `---\n${block}\n---\nbody\n`)], (root) => told(root, 'x.ts'));
  expect(codes.length).toBeGreaterThan(0);
  expect(codes.every((code) => code.startsWith('.elowen/rules/a.md '))).toBe(true);
});

test('a socket under the name of an instruction file is passed over and told', async () => {
  await withTree([{ path: 'd/CLAUDE.md', text: 'c\n' }], async (root) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'd', 'AGENTS.md'), resolve));
    expect(told(root, 'd/x.ts')).toEqual(['d/AGENTS.md not_a_regular_file']);
    await new Promise((resolve) => server.close(resolve));
  });
});

test('a pipe that nobody writes to does not hold anyone up', () => {
  const tree: readonly TreeEntry[] = [
    { path: '.elowen/rules/a.md', fifo: true },
    { path: 'AGENTS.md', fifo: true },
  ];
  expect(withTree(tree, (root) => told(root, 'x.ts'))).toEqual([
    '.elowen/rules/a.md not_a_regular_file',
    'AGENTS.md not_a_regular_file',
  ]);
});

test('a folder of a hundred thousand entries is refused whole, and the rest goes on', () => {
  const codes = withTree(
    [
      { path: 'AGENTS.md', text: 'root\n' },
      { path: 'sub/AGENTS.md', text: 'sub\n' },
    ],
    (root) => {
      const rules = join(root, '.elowen', 'rules');
      mkdirSync(rules, { recursive: true });
      for (let index = 0; index < 100_000; index++) writeFileSync(join(rules, `${index}.md`), '');
      const explained = codicil(['explain', '--root', root, '--json', '--', 'sub/x.ts']);
      const { startup, delivered, diagnostics } = JSON.parse(explained.stdout);
      expect([...startup, ...delivered].map(({ relPath }: { relPath: string }) => relPath)).toEqual([
        'AGENTS.md',
        'sub/AGENTS.md',
      ]);
      return diagnostics.map(({ path, code }: Told) => `${path} ${code}`);
    },
  );
  expect(codes).toEqual(['.elowen/rules listing_truncated']);
}, 120_000);

test('names with line breaks, quotes and mark-up neither break the JSON, nor the text, nor the frame', () => {
  const name = '"><script>\n\u001b[31m\u202e&.md';
  const tree = [rule(name, '---\npaths:\n  - "**"\n---\nbody\n')];
  withTree(tree, (root) => {
    const { delivered } = JSON.parse(codicil(['explain', '--root', root, '--json', '--', 'x.ts']).stdout);
    expect(delivered.map(({ relPath }: { relPath: string }) => relPath)).toEqual([`.elowen/rules/${name}`]);
    const text = codicil(['explain', '--root', root, '--', 'x.ts']).stdout + codicil(['check', '--root', root]).stdout;
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    const github = codicil(['check', '--root', root, '--format', 'github']).stdout;
    for (const line of github.split('\n').filter((each) => each !== '')) expect(line).toMatch(/^::(error|warning) /);
  });
});

test('a root that vanishes withdraws nothing, and what comes back is not sent again', async () => {
  await withTree([{ path: 'src/AGENTS.md', text: 'rules of src\n' }], async (root) => {
    const { resolver } = await openProject(root);
    const session = await openSession({ resolver, journal: createMemoryJournal(), sessionId: sessionId('main') });
    await session.start();
    let calls = 0;
    const touch = async () => {
      const id = `call-${++calls}`;
      await session.answer({ text: '', toolCalls: [{ id, name: 'read', input: {} }] });
      await session.toolResult({
        toolCallId: id,
        text: '',
        isError: false,
        details: { fileAccess: { path: 'src/x.ts' } },
      });
      return (await session.request()).delivery;
    };
    expect((await touch()).kind).toBe('appended');
    renameSync(root, `${root}-away`);
    const away = await touch();
    expect(away.kind).toBe('nothing');
    expect(away.diagnostics.map(({ code }) => code)).toContain('file_unreadable');
    renameSync(`${root}-away`, root);
    expect((await touch()).kind).toBe('nothing');
  });
});

test('a root that vanishes while the command runs ends it with a sentence', async () => {
  await withTree([], async (root) => {
    for (let index = 0; index < 3_000; index++) {
      const folder = join(root, `d${index % 50}`, `e${index}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'AGENTS.md'), 'x');
    }
    const main = new URL('../dist/main.js', import.meta.url).pathname;
    const child = spawn(process.execPath, [main, 'check', '--root', root, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.resume();
    rmSync(root, { recursive: true, force: true });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect([0, 1, 2]).toContain(status);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
