import { anyDraft } from '@codicil/arbitraries/conversations';
import { anyJournalCommands, checkSession, JournalModel } from '@codicil/arbitraries/journal-model';
import { type Draft, type EntryId, projectBranch, sessionId } from '@codicil/journal-records';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchOf, fewerRuns, fileStore } from './store.ts';

test('J3 a journal that is opened again shows what was lived through', async () => {
  await fc.assert(
    fc.asyncProperty(anyJournalCommands({ maxCommands: 40 }), async (commands) => {
      const store = fileStore();
      try {
        const real = { journal: await store.open(), reopen: () => store.open() };
        const model = new JournalModel();
        await fc.asyncModelRun(() => ({ model, real }), commands);
        for (const journal of [real.journal, await store.open()]) {
          for (const session of model.sessions.keys()) await checkSession(model, journal, session);
        }
        expect((await real.journal.verify()).problems).toEqual([]);
      } finally {
        await store.dispose();
      }
    }),
    fewerRuns(3),
  );
});

test('J3 any record may continue from any entry, and is restored as the branch that it made', async () => {
  const main = sessionId('main');
  const step = fc.tuple(anyDraft(), fc.option(fc.nat({ max: 20 }), { nil: undefined }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const store = fileStore();
      try {
        const journal = await store.open();
        const known: (EntryId | null)[] = [null];
        for (const [draft, nth, isNewOpening] of steps) {
          const parent = nth === undefined ? undefined : known[nth % known.length];
          const opening = isNewOpening ? await store.open() : journal;
          const outcome = await opening.append(main, draft, { expectedLeaf: 'any', parent });
          if (outcome.kind !== 'appended') throw new Error('nobody else writes here');
          known.push(outcome.entry.id);
          const folded = projectBranch(await branchOf(journal, main));
          for (const each of [outcome.projection, await journal.projection(main)]) expect(each).toStrictEqual(folded);
          expect(await (await store.open()).projection(main)).toStrictEqual(folded);
        }
        expect((await journal.verify()).problems).toEqual([]);
      } finally {
        await store.dispose();
      }
    }),
    fewerRuns(3),
  );
});

test('J3 a path with a lone surrogate is restored as it is', async () => {
  const main = sessionId('main');
  const store = fileStore();
  try {
    const path = 'a\uD800b\uDC00.md';
    const details = {
      instructions: [{ relPath: path, sha256: 'a'.repeat(64) as never, supersedes: null }],
      removed: [],
    };
    const drafts: readonly Draft[] = [
      { kind: 'turn-context', context: 'instructions', placement: 'after-message', text: path, details },
      { kind: 'touch', paths: [path] },
    ];
    const journal = await store.open({ snapshotEvery: 1 });
    for (const draft of drafts) await journal.append(main, draft, { expectedLeaf: 'any' });
    const lived = await journal.projection(main);
    expect([...lived.delivered.keys()]).toEqual([path]);
    await journal.close();
    const again = await store.open();
    expect(await again.projection(main)).toStrictEqual(lived);
    expect((await again.verify()).problems).toEqual([]);
  } finally {
    await store.dispose();
  }
});
