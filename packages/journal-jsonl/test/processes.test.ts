import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childProgram } from '@codicil/arbitraries/child-program';
import { openJsonlJournal } from '@codicil/journal-jsonl';
import { type JournalEntry, sessionId } from '@codicil/journal-records';
import { afterEach, beforeEach, expect, test } from 'vitest';

const here = new URL('..', import.meta.url).pathname;
const main = sessionId('main');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codicil-jsonl-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function branch(): Promise<readonly JournalEntry[]> {
  const journal = await openJsonlJournal(folder);
  const entries: JournalEntry[] = [];
  for await (const entry of journal.branch(main)) entries.push(entry);
  await journal.close();
  return entries.reverse();
}

/** Kills the child once it has acknowledged so many entries; their ids. */
function killAfter(child: ChildProcess, count: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (printed.split('\n').length > count) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', () => resolve(printed.split('\n').slice(0, -1)));
  });
}

test('J1 nothing that a killed process had acknowledged is lost, kill after kill', async () => {
  const program = await childProgram(here, 'test/fixtures/crash-child.ts');
  const acknowledged: string[] = [];
  for (const [round, count] of [1, 2, 3, 5, 8, 13, 21, 4, 6, 9, 1, 17].entries()) {
    const child = spawn(process.execPath, [program, folder, 'main', String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    acknowledged.push(...(await killAfter(child, count)));
    const entries = await branch();
    const ids = entries.map(({ id }) => String(id));
    expect(ids.filter((id) => acknowledged.includes(id))).toEqual(acknowledged);
    expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...ids].slice(0, ids.length));
  }
  const report = await (await openJsonlJournal(folder)).verify();
  expect(report.problems.filter(({ kind }) => kind === 'corrupt')).toEqual([]);
});

test('J2 four processes on one session form one chain, and none of them starves', async () => {
  const program = await childProgram(here, 'test/fixtures/contender.ts');
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [program, folder, '25'], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  await Promise.all(children.map((child) => new Promise((resolve) => child.on('close', resolve))));
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  const entries = await branch();
  expect(entries).toHaveLength(100);
  expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...entries.map(({ id }) => id)].slice(0, 100));
});

test('a full disk refuses the append, and keeps what was acknowledged before', async () => {
  const program = await childProgram(here, 'test/fixtures/crash-child.ts');
  // The limit counts blocks of 1,024 bytes; beyond it a write is cut short or fails.
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', 'ulimit -f 24; exec "$0" "$@"', process.execPath, program, folder, 'main', '0'],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr).toContain('journal_write_failed');
  const acknowledged = stdout.split('\n').slice(0, -1);
  expect(acknowledged.length).toBeGreaterThan(3);
  expect((await branch()).map(({ id }) => id).slice(0, acknowledged.length)).toEqual(acknowledged);
  const journal = await openJsonlJournal(folder);
  expect((await journal.append(main, { kind: 'rewind' }, { expectedLeaf: 'any' })).kind).toBe('appended');
});
