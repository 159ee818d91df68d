import { anyDraft } from '@codicil/arbitraries/conversations';
import { anyJournalCommands, checkSession, JournalModel } from '@codicil/arbitraries/journal-model';
import { assertRoundsLinearizable } from '@codicil/arbitraries/rounds';
import { openJsonlJournal } from '@codicil/journal-jsonl';
import {
  type Draft,
  type EntryId,
  isJournalError,
  type Journal,
  type JournalEntry,
  type SessionId,
  sessionId,
} from '@codicil/journal-records';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrailDisk } from './frail-disk.ts';

const main = sessionId('main');
const PATH = '/j/s-main.jsonl';

async function branchOf(journal: Journal, session: SessionId = main): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.branch(session)) entries.push(entry);
  return entries.reverse();
}

const said = (text: string): Draft => ({ kind: 'message', role: 'user', text });

interface Step {
  readonly draft: Draft;
  readonly fault: 'none' | 'short write' | 'failed sync' | 'reopen';
  readonly at: number;
}

const anyStep = (): fc.Arbitrary<Step> =>
  fc.record({
    draft: anyDraft().filter(({ kind }) => kind !== 'compaction'),
    fault: fc.constantFrom('none', 'none', 'none', 'short write', 'failed sync', 'reopen'),
    at: fc.nat({ max: 400 }),
  });

test('J1 acknowledged entries survive a power failure at any byte, and recovery neither invents nor reorders', async () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const loss = fc.record({
    part,
    zeros: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 200_000 })),
    hole: fc.oneof(fc.constant([0, 0] as const), fc.tuple(part, part)),
    replaced: fc.nat({ max: 80 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep(), { minLength: 1, maxLength: 25 }), loss, async (steps, lost) => {
      const disk = new FrailDisk();
      let journal = await openJsonlJournal('/j', { disk, snapshotEvery: 4 });
      const acknowledged: EntryId[] = [];
      const asked: Draft[] = [];
      for (const { draft, fault, at } of steps) {
        if (fault === 'reopen') journal = await openJsonlJournal('/j', { disk, snapshotEvery: 4 });
        // The first append makes the file, whose header is not what this is about.
        if (fault === 'short write' && acknowledged.length > 0) disk.shortWrite = at;
        if (fault === 'failed sync' && acknowledged.length > 0) disk.failSync = true;
        asked.push(draft);
        try {
          const outcome = await journal.append(main, draft, { expectedLeaf: 'any' });
          if (outcome.kind === 'appended') acknowledged.push(outcome.entry.id);
        } catch (error) {
          const code = fault === 'failed sync' ? 'journal_sync_failed' : 'journal_write_failed';
          if (!isJournalError(error) || error.code !== code) throw error;
          if (fault === 'failed sync') journal = await openJsonlJournal('/j', { disk, snapshotEvery: 4 });
        }
        disk.shortWrite = undefined;
      }
      const found = disk.afterPowerFailure({ ...lost, bytes: (unsynced) => Math.floor(unsynced * lost.part) });
      const restored = await openJsonlJournal('/j', { disk: found });
      const branch = await branchOf(restored);
      const ids = branch.map(({ id }) => id);
      expect(ids.filter((id) => acknowledged.includes(id))).toEqual(acknowledged);
      // Whatever else is there was asked for, in that order.
      let next = 0;
      for (const { id: _id, parentId: _parent, sessionId: _session, depth: _depth, at: _at, ...draft } of branch) {
        next = asked.findIndex((one, index) => index >= next && JSON.stringify(one) === JSON.stringify(draft)) + 1;
        expect(next).toBeGreaterThan(0);
      }
      const after = await restored.append(main, said('goes on'), { expectedLeaf: 'any' });
      expect(after.kind).toBe('appended');
      expect((await branchOf(restored)).map(({ id }) => id).slice(0, -1)).toEqual(ids);
    }),
    { numRuns: 200 },
  );
});

test('J2 of several writers that decided upon the same leaf one comes in, and the others learn it', async () => {
  const caller = fc.constantFrom('leaf' as const, 'any' as const);
  await fc.assert(
    fc.asyncProperty(fc.array(caller, { minLength: 1, maxLength: 6 }), async (callers) => {
      const disk = new FrailDisk();
      const journal = await openJsonlJournal('/j', { disk });
      await journal.append(main, said('first'), { expectedLeaf: null });
      for (const expects of callers) {
        const { leaf } = await journal.projection(main);
        const rival = await appendedBy(disk, said('rival'), leaf);
        disk.beforeWrite = rival.write;
        const expectedLeaf = expects === 'leaf' ? leaf : 'any';
        const outcome = await journal.append(main, said('mine'), { expectedLeaf });
        const last = (await branchOf(journal)).slice(-2).map((entry) => entry.id);
        if (expects === 'leaf') {
          expect(outcome).toEqual({ kind: 'conflict', leaf: rival.id });
          expect(last.at(-1)).toBe(rival.id);
        } else {
          if (outcome.kind !== 'appended') throw new Error('an append after any leaf comes in');
          expect(last).toEqual([rival.id, outcome.entry.id]);
          expect(outcome.projection).toEqual(await journal.projection(main));
        }
        // Another process sees the same.
        expect(await branchOf(await openJsonlJournal('/j', { disk }))).toEqual(await branchOf(journal));
      }
    }),
  );
});

/** What another process would append, worked out on a copy of the disk and written when it is time. */
async function appendedBy(disk: FrailDisk, draft: Draft, leaf: EntryId | null) {
  const copy = disk.clone();
  const outcome = await (await openJsonlJournal('/j', { disk: copy })).append(main, draft, { expectedLeaf: leaf });
  if (outcome.kind !== 'appended') throw new Error('the rival was too late');
  const added = copy.bytesOf(PATH).subarray(disk.bytesOf(PATH).length);
  return { id: outcome.entry.id, write: () => disk.append(PATH, added) };
}

test('J2 what another process appends while a sync is under way is read, however long it is', async () => {
  const disk = new FrailDisk();
  const clock = (): number => 1_000;
  const journal = await openJsonlJournal('/j', { disk, clock });
  await journal.append(main, said('first'), { expectedLeaf: null });
  disk.duringSync = async () => {
    await journal.projection(main);
    const copy = disk.clone();
    const rival = await openJsonlJournal('/j', { disk: copy, clock });
    for (const text of ['his 1', 'his 2']) await rival.append(main, said(text), { expectedLeaf: 'any' });
    disk.append(PATH, copy.bytesOf(PATH).subarray(disk.bytesOf(PATH).length));
  };
  await Promise.all(['own 1', 'own 2'].map((text) => journal.append(main, said(text), { expectedLeaf: 'any' })));
  const texts = (await branchOf(journal)).flatMap((entry) => (entry.kind === 'message' ? [entry.text] : []));
  expect(texts).toEqual(['first', 'own 1', 'own 2', 'his 1', 'his 2']);
  const again = await openJsonlJournal('/j', { disk });
  expect(await journal.projection(main)).toEqual(await again.projection(main));
  expect(await journal.sessions()).toEqual(await again.sessions());
});

test('J2 appends from several openings at once are answered as if they came one after another', () =>
  assertRoundsLinearizable(async () => {
    const disk = new FrailDisk();
    return { open: () => openJsonlJournal('/j', { disk }), dispose: async () => undefined };
  }));

test('J2 appends of one process at the same time come in one after another, in a chain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), async (caring) => {
      const journal = await openJsonlJournal('/j', { disk: new FrailDisk() });
      const outcomes = await Promise.all(
        caring.map((cares, index) => journal.append(main, said(String(index)), { expectedLeaf: cares ? null : 'any' })),
      );
      const appended = outcomes.flatMap((outcome) => (outcome.kind === 'appended' ? [outcome.entry] : []));
      expect((await branchOf(journal)).map(({ id }) => id)).toEqual(appended.map(({ id }) => id));
      expect(outcomes.map(({ kind }) => kind)).toEqual(
        caring.map((cares, index) => (cares && index > 0 ? 'conflict' : 'appended')),
      );
      const ids = appended.map(({ id }) => id);
      for (const outcome of outcomes) if (outcome.kind === 'conflict') expect(ids).toContain(outcome.leaf);
    }),
  );
});

test('J3 a journal that is opened again shows what was lived through', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyJournalCommands({ maxCommands: 40 }),
      fc.integer({ min: 1, max: 8 }),
      async (commands, snapshotEvery) => {
        const disk = new FrailDisk();
        const open = () => openJsonlJournal('/j', { disk, snapshotEvery });
        const real = {
          journal: await open(),
          async reopen() {
            await real.journal.close();
            return open();
          },
        };
        const model = new JournalModel();
        await fc.asyncModelRun(() => ({ model, real }), commands);
        for (const journal of [real.journal, await open()]) {
          for (const session of model.sessions.keys()) await checkSession(model, journal, session);
        }
        expect((await real.journal.verify()).problems).toEqual([]);
      },
    ),
  );
});
