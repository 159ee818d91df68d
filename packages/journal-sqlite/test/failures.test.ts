import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Draft, isJournalError, type Journal, type SessionId, sessionId } from '@codicil/journal-records';
import { openSqliteJournal } from '@codicil/journal-sqlite';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { program } from './children.ts';
import { branchOf, codeOf, type FileStore, fileStore } from './store.ts';

const main = sessionId('main');
const side = sessionId('side');
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

test.each([
  ['a later version', 3, /later version/],
  ['an earlier pre-release', 1, /earlier pre-release/],
])('a journal of %s is refused, and stays as it is', async (_what, version, said) => {
  await (await store.open()).close();
  const other = new Sqlite(store.file);
  other.pragma(`user_version = ${version}`);
  other.close();
  const before = readFileSync(store.file);
  const opening = store.open();
  expect(await codeOf(opening)).toBe('journal_unknown_format');
  await expect(opening).rejects.toThrow(said);
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

/** A journal of two entries, and of a fork without one, after something was done to its file. */
async function tampered(sql: string): Promise<Journal> {
  const journal = await store.open();
  await journal.append(main, delivered('a.md', '1'), any);
  const outcome = await journal.append(main, said('b'), any);
  await journal.fork(main, outcome.kind === 'appended' ? outcome.entry.id : null, side);
  await journal.close();
  const database = new Sqlite(store.file);
  database.exec(sql);
  database.close();
  return store.open();
}

/** What verifying finds, or why it cannot be done. */
async function findings(journal: Journal): Promise<readonly string[]> {
  let found: readonly string[] = [];
  const code = await codeOf(
    journal.verify().then(({ problems }) => {
      found = problems.map(({ kind }) => kind);
    }),
  );
  return code === undefined ? found : [code];
}

const rowOfMain = `UPDATE sessions SET`;
const secondEntry = (change: string): string => `UPDATE entries SET ${change} WHERE seq = 2`;

test.each([
  ['a count that is wrong', `${rowOfMain} entries = 7 WHERE id = 'main'`],
  ['a leaf that is an older entry', `${rowOfMain} leaf = 1 WHERE id = 'main'`],
  ['a leaf that is no entry', `${rowOfMain} leaf = NULL WHERE id = 'main'`],
  ['a fork of another place', `${rowOfMain} leaf = 1, forked_at = 1 WHERE id = 'side'`],
  ['a fork of a session that is not there', `${rowOfMain} forked_from = 'lost' WHERE id = 'side'`],
  ['a sum that is wrong', `${rowOfMain} sum = '0123456789abcdef' WHERE id = 'main'`],
  ['a session of another name', `${rowOfMain} id = 'x' WHERE id = 'main'`],
  [
    'a session too many',
    `INSERT INTO sessions SELECT 'x', entries, leaf, NULL, NULL, sum FROM sessions WHERE id = 'main'`,
  ],
  ['entries without their session', `DELETE FROM sessions WHERE id = 'main'`],
  ['a lost fork', `DELETE FROM sessions WHERE id = 'side'`],
  ['a wrong number of sessions', 'UPDATE totals SET sessions = 1'],
  ['no number of sessions', 'DELETE FROM totals'],
  ['an entry that is not JSON', secondEntry(`body = '{'`)],
  ['an entry that is no record', secondEntry(`body = json_remove(body, '$.text')`)],
  ['an entry of another depth', secondEntry('depth = 7')],
  ['an entry of another session', secondEntry(`session = 'x'`)],
  ['an entry of another id', secondEntry(`id = '7.x'`)],
  ['a parent that is not there', secondEntry('parent = 9')],
  ['a lost parent', secondEntry('parent = NULL')],
  ['a lost entry', 'DELETE FROM entries WHERE seq = 1'],
  ['a parent that was stored after its child', 'UPDATE entries SET parent = 2 WHERE seq = 1'],
])('verifying finds %s', async (_what, sql) => {
  const found = await findings(await tampered(sql));
  expect(found.length).toBeGreaterThan(0);
  for (const kind of found) expect(['corrupt', 'journal_corrupt']).toContain(kind);
});

test.each([
  ['a table too few', 'DROP TABLE snapshots'],
  ['a table that says something else', 'DROP TABLE totals; CREATE TABLE totals (sessions TEXT, sum TEXT)'],
])('%s is told at the opening', async (_what, sql) => {
  expect(await codeOf(tampered(sql))).toBe('journal_corrupt');
});

test('an entry that cannot be read is told, and no entry is skipped', async () => {
  const journal = await tampered(`UPDATE entries SET body = '{' WHERE seq = 1`);
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

test('a session that is gone is not begun anew, and its entries can be salvaged', async () => {
  const journal = await tampered(`DELETE FROM sessions WHERE id = 'main'`);
  expect(await codeOf(journal.append(main, said('c'), { expectedLeaf: null }))).toBe('journal_corrupt');
  expect(await codeOf(journal.projection(main))).toBe('journal_corrupt');
  expect(await codeOf(journal.sessions())).toBe('journal_corrupt');
  expect((await journal.projection(side)).depth).toBe(1);
  expect((await journal.salvage(main, sessionId('saved'))).kept).toBe(2);
});

test('a session without entries that is gone is not begun anew', async () => {
  const journal = await tampered(`DELETE FROM sessions WHERE id = 'side'`);
  expect(await codeOf(journal.append(side, said('c'), { expectedLeaf: null }))).toBe('journal_corrupt');
  expect(await codeOf(journal.sessions())).toBe('journal_corrupt');
  expect((await journal.append(main, said('c'), any)).kind).toBe('appended');
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
  expect((await findings(await store.open())).length).toBeGreaterThan(0);
});

test('a file that is cut short is told as damaged', async () => {
  const journal = await store.open();
  for (let index = 0; index < 40; index++) await journal.append(main, said('x'.repeat(4_000)), any);
  await journal.close();
  truncateSync(store.file, Math.floor(statSync(store.file).size / 2));
  const opened = store.open();
  expect(await codeOf(opened.then((again) => branchOf(again, main)))).toBe('journal_corrupt');
});

test('a wait for another writer ends with the limit', async () => {
  const journal = await store.open({ maxWait: 20 });
  await journal.append(main, said('a'), any);
  const other = new Sqlite(store.file);
  other.exec('BEGIN IMMEDIATE');
  const failing = [journal.append(main, said('b'), any), journal.append(side, said('c'), any)];
  for (const appending of failing) expect(await codeOf(appending)).toBe('journal_write_failed');
  other.exec('COMMIT');
  other.close();
  expect(await branchOf(journal, main)).toHaveLength(1);
  expect((await journal.append(main, said('d'), any)).kind).toBe('appended');
});

/** What a statement fails with, if it does. `isWriting`: in a transaction that writes. */
type Fault = (sql: string, values: readonly unknown[], isWriting: boolean) => string | undefined;

/** Lets statements fail as a broken disk would, from now on, on connections that are opened from now on. */
function breakDisk(): { fault: Fault } {
  const disk: { fault: Fault } = { fault: () => undefined };
  const { prepare } = Sqlite.prototype;
  let isWriting = false;
  vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, sql: string) {
    const statement = prepare.call(this, sql);
    for (const method of ['run', 'get', 'all'] as const) {
      const act = statement[method].bind(statement) as (...values: readonly unknown[]) => unknown;
      statement[method] = (...values: unknown[]) => {
        const code = disk.fault(sql, values, isWriting);
        if (code !== undefined) throw new Sqlite.SqliteError('disk I/O error', code);
        if (/^(BEGIN|COMMIT|ROLLBACK)/.test(sql)) isWriting = sql === 'BEGIN IMMEDIATE';
        return act(...values) as never;
      };
    }
    return statement as never;
  });
  return disk;
}

test('a sync that fails is told as one, and nothing more is appended before the journal is opened again', async () => {
  const disk = breakDisk();
  const journal = await store.open();
  await journal.append(main, said('a'), any);
  disk.fault = (sql, _values, isWriting) => (sql === 'COMMIT' && isWriting ? 'SQLITE_IOERR_FSYNC' : undefined);
  expect(await codeOf(journal.append(main, said('b'), any))).toBe('journal_sync_failed');
  disk.fault = () => undefined;
  expect(await codeOf(journal.append(main, said('c'), any))).toBe('journal_latched');
  expect((await (await store.open()).append(main, said('c'), any)).kind).toBe('appended');
});

test.each(['SQLITE_IOERR_WRITE', 'SQLITE_FULL'])('a commit that ends in %s is a failed write', async (code) => {
  const disk = breakDisk();
  const journal = await store.open();
  disk.fault = (sql, _values, isWriting) => (sql === 'COMMIT' && isWriting ? code : undefined);
  expect(await codeOf(journal.append(main, said('b'), any))).toBe('journal_write_failed');
  disk.fault = () => undefined;
  expect((await journal.append(main, said('c'), { expectedLeaf: null })).kind).toBe('appended');
});

test('a disk that cannot be read says nothing about what it holds', async () => {
  const disk = breakDisk();
  const journal = await store.open();
  await journal.append(main, said('a'), any);
  disk.fault = (sql) => (sql.startsWith('SELECT') ? 'SQLITE_IOERR_READ' : undefined);
  for (const reading of [journal.projection(main), branchOf(journal, main), journal.sessions(), journal.verify()]) {
    expect(await codeOf(reading)).toBe('journal_read_failed');
  }
});

test('appends that wait together are written in one transaction, and one that cannot be written fails alone', async () => {
  const disk = breakDisk();
  const journal = await store.open();
  let commits = 0;
  disk.fault = (sql, values, isWriting) => {
    if (sql === 'COMMIT' && isWriting) commits++;
    return sql.startsWith('INSERT INTO entries') && values.includes('s3') ? 'SQLITE_FULL' : undefined;
  };
  const sessions = Array.from({ length: 20 }, (_, index) => sessionId(`s${index}`));
  const append = (id: SessionId) => codeOf(journal.append(id, said(id), any));
  expect(await Promise.all(sessions.slice(4).map(append))).toEqual(sessions.slice(4).map(() => undefined));
  expect(commits).toBeLessThan(4);
  const codes = await Promise.all(sessions.slice(0, 4).map(append));
  expect(codes).toEqual([undefined, undefined, undefined, 'journal_write_failed']);
  expect((await journal.verify()).problems).toEqual([]);
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
