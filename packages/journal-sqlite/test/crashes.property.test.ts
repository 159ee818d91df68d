import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { anyDraft } from '@codicil/arbitraries/conversations';
import { emptyProjection, type JournalEntry, type Projection, sessionId } from '@codicil/journal-records';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Child, program } from './children.ts';
import { draftsOf } from './fixtures/drafts.ts';
import { branchOf, type FileStore, fewerRuns, fileStore } from './store.ts';

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

/** What a power cut leaves: the file, and its log up to a byte, maybe with something else behind it. */
function cutCopy(from: FileStore, at: number, rubbish: Uint8Array): FileStore {
  const copy = fileStore();
  copyFileSync(from.file, copy.file);
  const log = readFileSync(`${from.file}-wal`);
  writeFileSync(`${copy.file}-wal`, Buffer.concat([log.subarray(0, at), rubbish.subarray(0, log.length - at)]));
  return copy;
}

test('J1 a log that is cut anywhere gives the entries whose commit lies before the cut, and their state', async () => {
  const drafts = fc.array(anyDraft(), { minLength: 1, maxLength: 8 });
  const rubbish = fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ minLength: 1, maxLength: 5_000 }));
  await fc.assert(
    fc.asyncProperty(drafts, fc.nat(), fc.boolean(), rubbish, async (appended, nth, isAtCommit, behind) => {
      const lived = fileStore();
      const journal = await lived.open();
      const states: { readonly end: number; readonly projection: Projection; readonly entry: JournalEntry }[] = [];
      for (const draft of appended) {
        const outcome = await journal.append(main, draft, { expectedLeaf: 'any' });
        if (outcome.kind === 'appended') states.push({ end: statSync(`${lived.file}-wal`).size, ...outcome });
      }
      const end = states.at(-1)?.end ?? 0;
      const at = isAtCommit ? (states[nth % states.length]?.end ?? 0) : nth % (end + 1);
      const copy = cutCopy(lived, at, behind);
      try {
        const survived = states.filter((state) => state.end <= at);
        const recovered = await copy.open();
        expect(await branchOf(recovered, main)).toEqual(survived.map(({ entry }) => entry));
        expect(await recovered.projection(main)).toEqual(survived.at(-1)?.projection ?? emptyProjection);
        expect((await recovered.verify()).problems).toEqual([]);
        expect((await recovered.append(main, { kind: 'rewind' }, { expectedLeaf: 'any' })).kind).toBe('appended');
      } finally {
        await copy.dispose();
        await lived.dispose();
      }
    }),
    fewerRuns(2),
  );
});
