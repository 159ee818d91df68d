import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childProgram } from '@codicil/arbitraries/child-program';
import { expectedProjection } from '@codicil/arbitraries/journal-model';
import {
  activeVersion,
  BranchFold,
  type EntryId,
  type Journal,
  type JournalEntry,
  type SessionId,
  sessionId,
} from '@codicil/journal-records';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore, type StoreKind } from '../src/store.ts';
import { CALLED_FOR } from './fixtures/rival-project.ts';

/** A short slice; `npm run soak` sets more. */
const STEPS = Number(process.env['CODICIL_RIVAL_STEPS'] ?? 400);
const MAX_STEPS_A_PROCESS = 60;
const main = sessionId('main');

async function branchOf(journal: Journal, session: SessionId): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.branch(session)) entries.push(entry);
  return entries.reverse();
}

interface Run {
  readonly acknowledged: readonly string[];
  readonly steps: number;
  readonly wasKilled: boolean;
}

/** One process with so many steps, killed after so many lines wherever it then is. */
function runRival(program: string, args: readonly string[], killAfter: number): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.split('\n').length > killAfter) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code !== 0 && signal !== 'SIGKILL') return reject(new Error(`a process ended with ${code ?? signal}`));
      const lines = printed.split('\n').slice(0, -1);
      resolve({ acknowledged: lines.filter((line) => line !== '-'), steps: lines.length, wasKilled: signal !== null });
    });
  });
}

/** What must hold along a branch after each of its entries: nothing twice (A1), nothing settled unseen (A3, A4), nothing inside a call (A5). */
function assertBranch(branch: readonly JournalEntry[]): void {
  const fold = new BranchFold();
  let before = fold.projection();
  for (const entry of branch) {
    fold.add(entry);
    const after = fold.projection();
    if (entry.kind === 'turn-context' && entry.context === 'instructions') {
      expect(before.openToolCalls).toEqual([]);
      for (const { relPath, sha256 } of entry.details.instructions) {
        expect(activeVersion(before, relPath)).not.toBe(sha256);
      }
    }
    if (entry.kind !== 'context-cleared') {
      for (const path of before.pendingTouches) {
        if (after.pendingTouches.includes(path)) continue;
        for (const module of CALLED_FOR.get(path) ?? []) expect(activeVersion(after, module)).toBeDefined();
      }
    }
    before = after;
  }
  expect(before).toEqual(expectedProjection(branch));
}

const programFolders = { sqlite: 'packages/journal-sqlite', jsonl: 'packages/journal-jsonl' } as const;

async function campaign(kind: Exclude<StoreKind, 'memory'>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'codicil-rivals-'));
  const path = join(home, 'store');
  const program = await childProgram(programFolders[kind], '../../apps/codicil/test/fixtures/rival-child.ts');
  const store = await openStore(kind, path);
  const acknowledged: string[] = [];
  const [count = 2] = fc.sample(fc.integer({ min: 2, max: 8 }), { numRuns: 1 });
  const plans = fc.sample(
    fc.record({ steps: fc.integer({ min: 10, max: MAX_STEPS_A_PROCESS }), isKilled: fc.boolean(), seed: fc.nat() }),
    { numRuns: STEPS },
  );
  let steps = 0;
  let kills = 0;
  const rival = async (): Promise<void> => {
    while (steps < STEPS) {
      const plan = plans.pop();
      if (plan === undefined) return;
      const args = [kind, path, String(plan.steps), String(plan.seed)];
      const run = await runRival(program, args, plan.isKilled ? Math.ceil(plan.steps / 2) : Number.POSITIVE_INFINITY);
      acknowledged.push(...run.acknowledged);
      steps += run.steps;
      if (run.wasKilled) kills++;
    }
  };
  try {
    await Promise.all(Array.from({ length: count }, rival));
    const journal = await store.open();
    const sessions = await journal.sessions();
    const stored = new Set<string>();
    for (const { id } of sessions) {
      const branch = await branchOf(journal, id);
      assertBranch(branch);
      expect(await journal.projection(id)).toEqual(expectedProjection(branch));
      for (const entry of branch) stored.add(entry.id);
    }
    // Most of what was acknowledged lies on an active branch; the rest is looked for on those that were left.
    const left = acknowledged.filter((id) => !stored.has(id));
    for (const id of left.slice(0, 300)) {
      const [entry] = await firstOf(
        journal,
        sessions.map((session) => session.id),
        id as EntryId,
      );
      expect(entry?.id).toBe(id);
    }
    expect((await journal.verify()).problems.filter(({ kind: problem }) => problem === 'corrupt')).toEqual([]);
    expect(kills).toBeGreaterThan(0);
    await journal.close();
    if (process.env['CODICIL_RIVAL_STEPS'] !== undefined) {
      process.stdout.write(
        `${kind}: ${count} processes, ${steps} steps, ${kills} kills, ${acknowledged.length} acknowledged, ${sessions.length} sessions\n`,
      );
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function firstOf(
  journal: Journal,
  sessions: readonly SessionId[],
  id: EntryId,
): Promise<readonly JournalEntry[]> {
  for (const session of [main, ...sessions.filter((each) => each !== main)]) {
    try {
      for await (const entry of journal.branch(session, { from: id })) return [entry];
    } catch (error) {
      if ((error as { code?: string }).code !== 'journal_unknown_entry') throw error;
    }
  }
  return [];
}

test(
  'J2 several processes on one SQLite session, killed at random, lose no touch and deliver nothing twice',
  () => campaign('sqlite'),
  60_000 + STEPS * 200,
);

test(
  'J2 several processes on one JSON Lines session, killed at random, lose no touch and deliver nothing twice',
  () => campaign('jsonl'),
  60_000 + STEPS * 200,
);
