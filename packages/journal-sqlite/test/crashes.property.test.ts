import { setImmediate } from 'node:timers/promises';
import { sessionId } from '@codicil/journal-records';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Child, program } from './children.ts';
import { draftsOf } from './fixtures/drafts.ts';
import { branchOf, type FileStore, fileStore } from './store.ts';

const KILLS = 15;
const main = sessionId('main');
let store: FileStore;

beforeEach(() => {
  store = fileStore();
});

afterEach(() => store.dispose());

/** Reads back what the killed processes left, and holds it to what they had acknowledged. */
async function checkSurvival(seed: number, acknowledged: readonly string[], kills: number): Promise<void> {
  const draftAt = draftsOf(seed);
  const journal = await store.open();
  const branch = await branchOf(journal, main);
  const ids = branch.map(({ id }) => String(id));
  const depths = new Map(acknowledged.map((line) => line.split(' ')).map(([depth, id]) => [id ?? '', Number(depth)]));
  for (const [id, depth] of depths) expect(ids[depth]).toBe(id);
  expect(ids.length - depths.size).toBeLessThanOrEqual(kills);
  for (const [index, entry] of branch.entries()) {
    const { id, parentId, sessionId: _session, depth, at: _at, ...draft } = entry;
    expect({ parentId, depth, draft }).toEqual({
      parentId: ids[index - 1] ?? null,
      depth: index,
      draft: draftAt(index),
    });
  }
  const entries = branch.length;
  expect(await journal.verify()).toEqual({ sessions: entries === 0 ? 0 : 1, entries, problems: [] });
  await journal.close();
}

test('J1 a kill at any instant loses nothing acknowledged, and invents and reorders nothing', async () => {
  const child = await program('crash-child');
  // Some kills fall into the opening, some into the midst of an append.
  const instant = fc.record({
    acknowledged: fc.oneof(fc.constant(0), fc.nat({ max: 30 })),
    turns: fc.nat({ max: 400 }),
  });
  const acknowledged: string[] = [];
  const seed = 7;
  for (const [kill, { acknowledged: count, turns }] of fc.sample(instant, KILLS).entries()) {
    const running = new Child(child, store.file, 'main', String(seed));
    await running.printed(count);
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    await running.kill();
    expect(running.said()).toBe('');
    acknowledged.push(...running.lines());
    await checkSurvival(seed, acknowledged, kill + 1);
  }
  expect(acknowledged.length).toBeGreaterThan(KILLS);
});
