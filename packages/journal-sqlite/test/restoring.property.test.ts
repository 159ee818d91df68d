import { anyJournalCommands, checkSession, JournalModel } from '@codicil/arbitraries/journal-model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fewerRuns, fileStore } from './store.ts';

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
