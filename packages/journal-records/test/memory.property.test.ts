import { isLinearizable, type Observed } from '@codicil/arbitraries/linearizable';
import {
  createMemoryJournal,
  createMemoryStore,
  type EntryId,
  type Journal,
  sessionId,
} from '@codicil/journal-records';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const main = sessionId('main');

type Attempt = {
  readonly opening: number;
  readonly what: 'append' | 'append-late' | 'append-any' | 'rewind' | 'rewind-any' | 'read';
  readonly nth: number;
};

/** Makes the call of an attempt as its caller sees the session: `leaf` and the entries known before the round. */
async function make(
  journal: Journal,
  attempt: Attempt,
  known: readonly EntryId[],
  leaf: EntryId | null,
): Promise<Observed> {
  if (attempt.what === 'read') return { call: 'projection', leaf: (await journal.projection(main)).leaf };
  const chosen = known[attempt.nth % known.length] ?? null;
  const isAny = attempt.what === 'append-any' || attempt.what === 'rewind-any';
  const expectedLeaf = isAny ? 'any' : attempt.what === 'append-late' ? chosen : leaf;
  const parent = attempt.what.startsWith('rewind') ? chosen : undefined;
  const outcome = await journal.append(main, { kind: 'rewind' }, { expectedLeaf, parent });
  return { call: 'append', expectedLeaf, parent, outcome };
}

test('J2 appends from several openings at once are answered as if they came one after another', async () => {
  const attempt: fc.Arbitrary<Attempt> = fc.record({
    opening: fc.nat({ max: 2 }),
    what: fc.constantFrom('append', 'append-late', 'append-any', 'rewind', 'rewind-any', 'read'),
    nth: fc.nat({ max: 10 }),
  });
  const rounds = fc.array(fc.array(attempt, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rounds, async (attempts) => {
      const store = createMemoryStore();
      const openings = [0, 1, 2].map(() => createMemoryJournal({ store }));
      const [witness = createMemoryJournal({ store })] = openings;
      const known: EntryId[] = [];
      let leaf: EntryId | null = null;
      for (const round of attempts) {
        const before: EntryId | null = leaf;
        const calls = round.map((each) => make(openings[each.opening] ?? witness, each, [...known], before));
        const observed = await Promise.all(calls);
        for (const each of observed) {
          if (each.call === 'append' && each.outcome.kind === 'appended') known.push(each.outcome.entry.id);
        }
        leaf = (await createMemoryJournal({ store }).projection(main)).leaf;
        expect(isLinearizable(before, observed, leaf)).toBe(true);
      }
      const [session] = await witness.sessions();
      expect(session?.entries ?? 0).toBe(known.length);
      for (const opening of openings) expect((await opening.projection(main)).leaf).toBe(leaf);
    }),
  );
});

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
