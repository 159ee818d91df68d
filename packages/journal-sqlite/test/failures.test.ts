import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Draft, isJournalError, type Journal, sessionId } from '@codicil/journal-records';
import { openSqliteJournal } from '@codicil/journal-sqlite';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { program } from './children.ts';
import { branchOf, codeOf, type FileStore, fileStore } from './store.ts';

const main = sessionId('main');
const any = { expectedLeaf: 'any' } as const;
let store: FileStore;

beforeEach(() => {
  store = fileStore();
});

afterEach(() => store.dispose());

function said(text: string): Draft {
  return { kind: 'message', role: 'user', text };
}

function delivered(relPath: string, digit: string): Draft {
  const instructions = [{ relPath, sha256: digit.repeat(64) as never, supersedes: null }];
  const details = { instructions, removed: [] };
  return { kind: 'turn-context', context: 'instructions', placement: 'after-message', text: relPath, details };
}

/** Appends until it fails; the ids that were acknowledged, and the failure. */
async function fill(journal: Journal): Promise<{ readonly ids: readonly string[]; readonly error: unknown }> {
  const ids: string[] = [];
  for (;;) {
    try {
      const outcome = await journal.append(main, said('x'.repeat(3_000)), any);
      if (outcome.kind === 'appended') ids.push(outcome.entry.id);
    } catch (error) {
      return { ids, error };
    }
  }
}

test('a file that is full refuses the append and keeps what was acknowledged; with room again it goes on', async () => {
  const small = await store.open({ maxBytes: 200_000 });
  const { ids, error } = await fill(small);
  expect(isJournalError(error) && error.code).toBe('journal_write_failed');
  expect(error).toHaveProperty('cause.code', 'SQLITE_FULL');
  expect(ids.length).toBeGreaterThan(5);
  expect((await small.projection(main)).leaf).toBe(ids.at(-1));

  const roomy = await store.open();
  expect((await branchOf(roomy, main)).map(({ id }) => id)).toEqual(ids);
  expect((await roomy.append(main, said('goes on'), any)).kind).toBe('appended');
  expect((await small.projection(main)).depth).toBe(ids.length);
  expect((await roomy.verify()).problems).toEqual([]);
});

test('a disk that takes no more keeps what was acknowledged', async () => {
  // The limit counts blocks of 512 or 1,024 bytes, by shell; beyond it a write fails.
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 400; exec "$0" "$@"', process.execPath, await program('crash-child'), store.file, 'main', '3'],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('journal_write_failed');
  const acknowledged = stdout.split('\n').slice(0, -1);
  expect(acknowledged.length).toBeGreaterThan(5);
  const journal = await store.open();
  const ids = (await branchOf(journal, main)).map(({ id, depth }) => `${depth} ${id}`);
  expect(ids.slice(0, acknowledged.length)).toEqual(acknowledged);
  expect((await journal.append(main, said('goes on'), any)).kind).toBe('appended');
});

test.each([
  ['a text', 'once upon a time, '.repeat(300)],
  ['a short text', 'x'],
  ['a damaged head', `SQLite format 3\0${'\xff'.repeat(4_096)}`],
])('%s is no journal, and stays as it is', async (_what, content) => {
  writeFileSync(store.file, content, 'latin1');
  expect(await codeOf(store.open())).toBe('journal_unknown_format');
  expect(readFileSync(store.file, 'latin1')).toBe(content);
});

test('a database of something else is no journal, and stays as it is', async () => {
  const other = new Sqlite(store.file);
  other.exec('CREATE TABLE sessions (id TEXT)');
  other.close();
  const before = readFileSync(store.file);
  expect(await codeOf(store.open())).toBe('journal_unknown_format');
  expect(readFileSync(store.file).equals(before)).toBe(true);
});

test('a journal of a later version is refused, and stays as it is', async () => {
  await (await store.open()).close();
  const later = new Sqlite(store.file);
  later.pragma('user_version = 2');
  later.close();
  const before = readFileSync(store.file);
  expect(await codeOf(store.open())).toBe('journal_unknown_format');
  expect(readFileSync(store.file).equals(before)).toBe(true);
});

test('an empty file becomes a journal, and a folder does not', async () => {
  writeFileSync(store.file, '');
  await (await store.open()).append(main, said('a'), any);
  const folder = join(dirname(store.file), 'folder');
  mkdirSync(folder);
  expect(await codeOf(openSqliteJournal(folder))).toBe('journal_write_failed');
  expect(await codeOf(openSqliteJournal(join(folder, 'missing', 'journal.db')))).toBe('journal_write_failed');
});

test('several openings that make the file at the same time agree on it', async () => {
  const journals = await Promise.all([store.open(), store.open(), store.open()]);
  await Promise.all(journals.map((journal) => journal.append(main, said('a'), any)));
  expect(await branchOf(await store.open(), main)).toHaveLength(3);
});

test('without its driver the opening says how to get it', async () => {
  const alone = join(dirname(store.file), 'program.mjs');
  copyFileSync(await program('crash-child'), alone);
  const { stderr } = spawnSync(process.execPath, [alone, store.file, 'main', '0'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: '' },
  });
  expect(stderr).toContain('npm install better-sqlite3');
});

async function tampered(sql: string): Promise<Journal> {
  const journal = await store.open();
  await journal.append(main, delivered('a.md', '1'), any);
  await journal.append(main, said('b'), any);
  await journal.close();
  const database = new Sqlite(store.file);
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  database.close();
  return store.open();
}

test.each([
  ['a state that is not what the entries say', `UPDATE active SET sha256 = '${'2'.repeat(64)}'`],
  ['a row of a path too many', `INSERT INTO active VALUES ('main', 'b.md', NULL, 'x', 0)`],
  ['a lost row of a path', 'DELETE FROM active'],
  ['a count that is wrong', 'UPDATE sessions SET entries = 7'],
  ['a leaf that is an older entry', 'UPDATE sessions SET leaf = 1'],
  ['a state that is not JSON', `UPDATE sessions SET state = '{'`],
  ['an entry that is not JSON', `UPDATE entries SET json = '{' WHERE seq = 2`],
  ['an entry that is no record', `UPDATE entries SET json = json_remove(json, '$.text') WHERE seq = 2`],
  ['columns that differ from the entry', 'UPDATE entries SET at = 1 WHERE seq = 2'],
  ['a parent that is not there', 'UPDATE entries SET parent = 9 WHERE seq = 2'],
  ['a lost parent', 'UPDATE entries SET parent = NULL WHERE seq = 2'],
  ['an id of another place', `UPDATE entries SET id = '7.x', json = json_set(json, '$.id', '7.x') WHERE seq = 2`],
  ['a parent that was stored after its child', 'UPDATE entries SET parent = 2 WHERE seq = 1'],
  ['a leaf that is no entry', 'UPDATE sessions SET leaf = NULL, leaf_id = NULL'],
  [
    'a leaf of another session',
    `INSERT INTO sessions SELECT 'x', 0, leaf, leaf_id, depth, floor, state, NULL, NULL FROM sessions`,
  ],
  ['a fork of a session that is not there', `UPDATE sessions SET forked_from = 'lost'`],
  ['a state of a session that is not there', `INSERT INTO active VALUES ('lost', 'b.md', NULL, 'x', 0)`],
  ['a startup set of a session that is not there', `INSERT INTO startup VALUES ('lost', '[]')`],
  [
    'a state of an empty session',
    `INSERT INTO sessions VALUES ('x', 0, NULL, NULL, -1, -1, '{"pendingTouches":[],"openToolCalls":[]}', 'main', NULL);
     INSERT INTO active VALUES ('x', 'b.md', NULL, 'x', 0)`,
  ],
  ['entries without their session', 'DELETE FROM sessions'],
  ['a table too few', 'DROP TABLE active'],
])('verifying finds %s', async (_what, sql) => {
  const { problems } = await (await tampered(sql)).verify();
  expect(problems.length).toBeGreaterThan(0);
  for (const { kind } of problems) expect(kind).toBe('corrupt');
});

test('an entry that cannot be read is told, and no entry is skipped', async () => {
  const journal = await tampered(`UPDATE entries SET json = '{' WHERE seq = 1`);
  const read: string[] = [];
  const reading = async (): Promise<void> => {
    for await (const { kind } of journal.branch(main)) read.push(kind);
  };
  expect(await codeOf(reading())).toBe('journal_corrupt');
  expect(read).toEqual(['message']);
});

test('a branch that leads in a circle is told, and reading it ends', async () => {
  const journal = await tampered('UPDATE entries SET parent = 2 WHERE seq = 1');
  expect(await codeOf(branchOf(journal, main))).toBe('journal_corrupt');
});

test('a table that is missing is damage, whether the call reads or writes', async () => {
  const journal = await tampered('DROP TABLE active');
  expect(await codeOf(journal.projection(main))).toBe('journal_corrupt');
  expect(await codeOf(journal.append(main, said('c'), any))).toBe('journal_corrupt');
});

test.each(['', ' ', 'journal.db '])(
  'a journal cannot be called %j, which the driver would take for another file',
  async (name) => {
    expect(await codeOf(openSqliteJournal(name))).toBe('journal_write_failed');
  },
);

test('a file called :memory: is a file', async () => {
  const folder = dirname(store.file);
  const { stderr } = spawnSync(process.execPath, [await program('contender'), ':memory:', 'a', '2'], {
    encoding: 'utf8',
    cwd: folder,
    input: 'x',
  });
  expect(stderr).toBe('');
  const journal = await openSqliteJournal(join(folder, ':memory:'));
  expect(await branchOf(journal, main)).toHaveLength(2);
  await journal.close();
});

test('a file whose pages are overwritten is told as damaged', async () => {
  const journal = await store.open();
  for (let index = 0; index < 40; index++) await journal.append(main, said('x'.repeat(4_000)), any);
  await journal.close();
  const bytes = readFileSync(store.file);
  bytes.fill(0x5a, 4_096, bytes.length - 4_096);
  writeFileSync(store.file, bytes);
  expect(await codeOf(store.open().then((opened) => branchOf(opened, main)))).toBe('journal_corrupt');
  const { problems } = await (await store.open()).verify();
  expect(problems.length).toBeGreaterThan(0);
});

test('a file that is cut short is told as damaged', async () => {
  const journal = await store.open();
  for (let index = 0; index < 40; index++) await journal.append(main, said('x'.repeat(4_000)), any);
  await journal.close();
  truncateSync(store.file, Math.floor(statSync(store.file).size / 2));
  const opened = store.open();
  expect(await codeOf(opened.then((again) => branchOf(again, main)))).toBe('journal_corrupt');
});

test('a wait for another writer ends with the limit, and with the signal', async () => {
  const journal = await store.open({ maxWait: 20 });
  const patient = await store.open();
  await journal.append(main, said('a'), any);
  const other = new Sqlite(store.file);
  other.exec('BEGIN IMMEDIATE');
  expect(await codeOf(journal.append(main, said('b'), any))).toBe('journal_write_failed');
  const abort = new AbortController();
  const waiting = patient.append(main, said('c'), { ...any, signal: abort.signal });
  const reason = new Error('enough');
  abort.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  other.exec('COMMIT');
  other.close();
  expect(await branchOf(journal, main)).toHaveLength(1);
  expect((await patient.append(main, said('d'), any)).kind).toBe('appended');
});

test('a read goes on while another one writes', async () => {
  const journal = await store.open();
  const outcome = await journal.append(main, said('a'), any);
  const other = new Sqlite(store.file);
  other.exec('BEGIN IMMEDIATE');
  expect((await journal.projection(main)).leaf).toBe(outcome.kind === 'appended' && outcome.entry.id);
  expect((await journal.verify()).problems).toEqual([]);
  other.close();
});

test('entries carry the time of the given clock, in whole milliseconds', async () => {
  const journal = await store.open({ clock: () => 12.75 });
  const outcome = await journal.append(main, said('a'), any);
  expect(outcome.kind === 'appended' && outcome.entry.at).toBe(12);
});

test('appends that were asked for before the closing are written', async () => {
  const journal = await store.open();
  const appending = [said('a'), said('b')].map((draft) => journal.append(main, draft, any));
  await journal.close();
  await Promise.all(appending);
  expect(await branchOf(await store.open(), main)).toHaveLength(2);
});

test('every commit is synced to the disk before it is acknowledged', async () => {
  const journal = await store.open();
  await journal.append(main, said('a'), any);
  const other = new Sqlite(store.file);
  expect(other.pragma('journal_mode', { simple: true })).toBe('wal');
  other.close();
  // What a power cut would lose cannot be tried here; the setting can be read where it is made.
  const source = readFileSync(new URL('../src/open.ts', import.meta.url), 'utf8');
  expect(source).toContain("pragma('synchronous = FULL')");
});
