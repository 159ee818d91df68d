import { assertRoundsLinearizable } from '@codicil/arbitraries/rounds';
import { createMemoryJournal, createMemoryStore, sessionId } from '@codicil/journal-records';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const main = sessionId('main');

test('J2 appends from several openings at once are answered as if they came one after another', () =>
  assertRoundsLinearizable(async () => {
    const store = createMemoryStore();
    return { open: async () => createMemoryJournal({ store }), dispose: async () => undefined };
  }));

test('J2 of appends that expect one leaf exactly one is written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 2 }), { minLength: 2, maxLength: 20 }), async (writers) => {
      const store = createMemoryStore();
      const openings = [0, 1, 2].map(() => createMemoryJournal({ store }));
      const outcomes = await Promise.all(
        writers.flatMap((writer) => openings[writer]?.append(main, { kind: 'rewind' }, { expectedLeaf: null }) ?? []),
      );
      const winners = outcomes.flatMap((outcome) => (outcome.kind === 'appended' ? [outcome.entry.id] : []));
      expect(winners).toHaveLength(1);
      for (const outcome of outcomes) if (outcome.kind === 'conflict') expect(outcome.leaf).toBe(winners[0]);
    }),
  );
});
