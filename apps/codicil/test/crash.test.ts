import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childProgram } from '@codicil/arbitraries/child-program';
import type { Journal, JournalEntry } from '@codicil/journal-records';
import { sessionId } from '@codicil/journal-records';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore, type StoreKind } from '../src/store.ts';

/** A short slice; `npm run soak` sets more. */
const KILLS = Number(process.env['CODICIL_KILLS'] ?? 8);
const main = sessionId('main');

async function branchOf(journal: Journal): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.branch(main)) entries.push(entry);
  return entries.reverse();
}

/** Lets the child run until it has acknowledged so many entries, and kills it wherever it then is; the ids. */
function killed(program: string, args: readonly string[], count: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.split('\n').length > count) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', () => resolve(printed.split('\n').slice(0, -1)));
  });
}

/** No two records in a row for one path with the same hash, counted anew where a compaction has dropped the earlier ones. */
function assertNothingTwice(branch: readonly JournalEntry[]): void {
  for (const [index, last] of branch.entries()) {
    if (last.kind !== 'turn-context' || last.context !== 'instructions') continue;
    let floor = -1;
    for (const entry of branch.slice(0, index)) {
      if (entry.kind === 'compaction') floor = Math.max(floor, (entry.keepFrom?.depth ?? entry.depth) - 1);
    }
    for (const { relPath, sha256 } of last.details.instructions) {
      const earlier = branch
        .slice(0, index)
        .filter((entry) => entry.depth > floor)
        .flatMap((entry) =>
          entry.kind === 'turn-context' && entry.context === 'instructions' ? entry.details.instructions : [],
        )
        .findLast((instruction) => instruction.relPath === relPath);
      expect(earlier?.sha256).not.toBe(sha256);
    }
  }
}

const programFolders = { sqlite: 'packages/journal-sqlite', jsonl: 'packages/journal-jsonl' } as const;

async function campaign(kind: Exclude<StoreKind, 'memory'>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'codicil-crash-'));
  const root = join(home, 'project');
  for (const folder of ['a', 'b', 'c']) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'AGENTS.md'), `rules of ${folder}\n`);
  }
  const path = join(home, 'store');
  const program = await childProgram(programFolders[kind], '../../apps/codicil/test/fixtures/delivering-child.ts');
  const store = await openStore(kind, path);
  const counts = fc.sample(fc.integer({ min: 1, max: 40 }), KILLS);
  const acknowledged: string[] = [];
  try {
    for (const [round, count] of counts.entries()) {
      acknowledged.push(...(await killed(program, [kind, path, root, String(round)], count)));
      const journal = await store.open();
      const branch = await branchOf(journal);
      const ids = branch.map(({ id }) => String(id));
      const known = new Set(acknowledged);
      expect(ids.filter((id) => known.has(id))).toEqual(acknowledged);
      // At most one unacknowledged entry a kill, and that one whole.
      expect(ids.length - acknowledged.length).toBeLessThanOrEqual(round + 1);
      assertNothingTwice(branch);
      await journal.close();
    }
    const journal = await store.open();
    expect((await journal.verify()).problems.filter(({ kind: problem }) => problem === 'corrupt')).toEqual([]);
    await journal.close();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

test(
  'a session on SQLite that is killed again and again loses nothing it had acknowledged and delivers nothing twice',
  () => campaign('sqlite'),
  KILLS * 5_000,
);

test(
  'a session on JSON Lines that is killed again and again loses nothing it had acknowledged and delivers nothing twice',
  () => campaign('jsonl'),
  KILLS * 5_000,
);
