import { deepStrictEqual, ok } from 'node:assert/strict';
import { type EntryId, type Journal, sessionId } from '@codicil/journal-records';
import fc from 'fast-check';
import { isLinearizable, type Observed } from './linearizable.ts';

const main = sessionId('main');

interface Attempt {
  readonly opening: number;
  readonly what: 'append' | 'append-late' | 'append-any' | 'rewind' | 'rewind-any' | 'read';
  readonly nth: number;
}

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

/** A fresh store that can be opened several times. */
export interface OpenStore {
  open(): Promise<Journal>;
  dispose(): Promise<void>;
}

/**
 * Rounds of calls that run at the same time on three openings of one session: each round must be answered as if its calls had come one after
 * another. Throws as `fc.assert` does.
 */
export async function assertRoundsLinearizable(
  makeStore: () => Promise<OpenStore>,
  parameters: { readonly numRuns?: number } = {},
): Promise<void> {
  const attempt: fc.Arbitrary<Attempt> = fc.record({
    opening: fc.nat({ max: 2 }),
    what: fc.constantFrom('append', 'append-late', 'append-any', 'rewind', 'rewind-any', 'read'),
    nth: fc.nat({ max: 10 }),
  });
  const rounds = fc.array(fc.array(attempt, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rounds, async (attempts) => {
      const store = await makeStore();
      try {
        await play(store, attempts);
      } finally {
        await store.dispose();
      }
    }),
    parameters,
  );
}

async function play(store: OpenStore, attempts: readonly (readonly Attempt[])[]): Promise<void> {
  const openings = [await store.open(), await store.open(), await store.open()] as const;
  const known: EntryId[] = [];
  let leaf: EntryId | null = null;
  for (const round of attempts) {
    const before: EntryId | null = leaf;
    const calls = round.map((each) => make(openings[each.opening] ?? openings[0], each, [...known], before));
    const observed = await Promise.all(calls);
    for (const each of observed) {
      if (each.call === 'append' && each.outcome.kind === 'appended') known.push(each.outcome.entry.id);
    }
    const witness = await store.open();
    leaf = (await witness.projection(main)).leaf;
    await witness.close();
    ok(isLinearizable(before, observed, leaf), 'no order of the calls explains their answers');
  }
  const [session] = await openings[0].sessions();
  deepStrictEqual(session?.entries ?? 0, known.length);
  for (const opening of openings) deepStrictEqual((await opening.projection(main)).leaf, leaf);
}
