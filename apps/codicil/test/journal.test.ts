import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionId } from '@codicil/journal-records';
import { openSession } from '@codicil/session';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProject } from '../src/project.ts';
import { openStore, prepareProjectStore } from '../src/store.ts';
import { commandLine } from '../src/view/command-line.ts';
import { codicil } from './command.ts';
import { said } from './fake-terminal.ts';

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'codicil-journal-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function record(kind: 'sqlite' | 'jsonl', path: string): Promise<void> {
  const journal = await (await openStore(kind, path)).open();
  const { resolver } = await openProject(home);
  const session = await openSession({ journal, resolver, sessionId: sessionId('main') });
  await session.start();
  await session.prompt('go');
  await session.request();
  await journal.close();
}

const git = (root: string, ...args: readonly string[]): string =>
  spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: root, encoding: 'utf8' })
    .stdout;

test.each(['list', 'show', 'verify'])(
  'store: journal %s finds the store of the project that --root names, and shows it',
  async (command) => {
    const store = prepareProjectStore(home);
    await record('sqlite', store);
    const { code, out } = await said(['journal', command, ...(command === 'show' ? ['main'] : []), '--root', home]);
    expect([code, out]).toEqual([0, expect.stringContaining(store)]);
  },
);

test('store: a hint of the journal can be typed as it stands, for the same store', async () => {
  await record('jsonl', join(home, 'a store'));
  const byStore = (await said(['journal', 'show', 'main', '--store', join(home, 'a store')])).out;
  expect(byStore).toContain(`codicil journal show main --request N --store '${join(home, 'a store')}'`);
  await record('sqlite', prepareProjectStore(home));
  const byRoot = (await said(['journal', 'show', 'main', '--root', home])).out;
  expect(byRoot).toContain(`codicil journal show main --request N --root ${home}`);
});

test('a damaged session is told by verify, with the way out, and salvage keeps what is sound of it', async () => {
  const store = join(home, 'journal');
  await record('jsonl', store);
  const file = join(store, 's-main.jsonl');
  const lines = readFileSync(file, 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.includes('"go"') || line.includes('\\"go\\"'));
  writeFileSync(file, lines.map((line, index) => (index === last ? line.replace('go', 'GO') : line)).join('\n'));
  const verified = await said(['journal', 'verify', '--store', store]);
  expect([verified.code, verified.out]).toEqual([1, expect.stringContaining('journal salvage main NEW')]);
  const salvaged = await said(['journal', 'salvage', 'main', 'mended', '--store', store]);
  expect([salvaged.code, salvaged.out]).toEqual([0, expect.stringMatching(/session mended holds 1 sound entry/)]);
  expect((await said(['journal', 'show', 'mended', '--store', store])).code).toBe(0);
  expect((await said(['journal', 'salvage', 'main', 'mended', '--store', store])).code).not.toBe(0);
});

test('a store and a project are not named together', async () => {
  expect((await said(['journal', 'list', '--root', home, '--store', home])).code).toBe(2);
});

const places: readonly (readonly [string, () => string, RegExp])[] = [
  ['nothing is there', () => join(home, 'x'), /there is no journal at/],
  ['a folder is empty', () => home, /not a journal: .*session files/],
  [
    'a folder holds other files',
    () => {
      writeFileSync(join(home, 'notes.jsonl'), '{}\n');
      return home;
    },
    /not a journal: .*session files/,
  ],
  [
    'a file is empty',
    () => {
      writeFileSync(join(home, 'x'), '');
      return join(home, 'x');
    },
    /empty file .* is not a journal/,
  ],
  [
    'a file is a text',
    () => {
      writeFileSync(join(home, 'x'), 'a text that is no database');
      return join(home, 'x');
    },
    /the file .* is not a journal/,
  ],
  [
    'a link leads nowhere',
    () => {
      symlinkSync('gone', join(home, 'x'));
      return join(home, 'x');
    },
    /there is no journal at/,
  ],
  ['a device lies there', () => '/dev/null', /is not a journal/],
];

test.each(places)(
  'store: where %s, each journal command says what was looked for, ends with 2 and makes nothing',
  async (_, make, message) => {
    const store = make();
    const before = readdirSync(home);
    for (const args of [['list'], ['verify'], ['verify', '--json'], ['show', 'main']]) {
      const { code, out, err } = await said(['journal', ...args, '--store', store]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(message);
    }
    expect(readdirSync(home)).toEqual(before);
  },
);

test('a folder that has a store in it is not one, and the error names that store', async () => {
  const store = prepareProjectStore(home);
  await record('sqlite', store);
  expect((await said(['journal', 'verify', '--store', home])).err).toContain(`--store ${store}`);
  expect((await said(['journal', 'verify', '--store', join(home, '.codicil')])).err).toContain(`--store ${store}`);
});

test('store: a journal without a session proves nothing', async () => {
  const path = join(home, 'journal.sqlite');
  await (await (await openStore('sqlite', path)).open()).close();
  const { code, err } = await said(['journal', 'verify', '--store', path]);
  expect([code, err]).toEqual([2, expect.stringMatching(/holds no session/)]);
});

test('store: the folder of a project store is ignored by Git from the start, and an ignore file of its own is kept', () => {
  git(home, 'init', '-q');
  writeFileSync(prepareProjectStore(home), '');
  expect(git(home, 'status', '--porcelain')).toBe('');
  writeFileSync(join(home, '.codicil', '.gitignore'), '!journal.sqlite\n');
  prepareProjectStore(home);
  expect(git(home, 'status', '--porcelain')).toContain('.codicil');
});

test('store: a project whose .codicil is a link keeps no journal there', () => {
  mkdirSync(join(home, 'elsewhere'));
  symlinkSync('elsewhere', join(home, '.codicil'));
  expect(() => prepareProjectStore(home)).toThrow(/is not a folder/);
  expect(existsSync(join(home, 'elsewhere', '.gitignore'))).toBe(false);
});

test('the demonstration of another project names that project in all that it suggests, and leaves its Git status clean', () => {
  const root = join(home, 'a project');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src', 'a.ts'), '');
  writeFileSync(join(root, 'src', 'AGENTS.md'), 'rules of src\n');
  git(root, 'init', '-q');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'first');
  const { status, stdout } = codicil(['demo', '--root', root], { cwd: home });
  expect(status).toBe(0);
  const commands = stdout.split('\n').filter((line) => /^ {2}(codicil|npm start --) /.test(line));
  expect(commands.length).toBeGreaterThan(4);
  for (const line of commands) expect(line).toContain(`--root '${root}'`);
  expect(stdout).toContain(join(root, '.codicil', 'journal.sqlite'));
  expect(git(root, 'status', '--porcelain')).toBe('');
});

test('a hint is what a shell reads back, whichever way the command was called', () => {
  expect(commandLine(['check', '--root', "/a b/it's"], {})).toBe("codicil check --root '/a b/it'\\''s'");
  expect(commandLine(['check'], { npm_lifecycle_event: 'start' })).toBe('npm start -- check');
});
