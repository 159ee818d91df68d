import assert from 'node:assert/strict';
import type { AppendOutcome, Journal } from '../journal.ts';
import {
  add,
  branchOf,
  type ConformanceCase,
  checkedProjection,
  type JournalUnderTest,
  journalCase,
  main,
  other,
  rejects,
  user,
} from './case.ts';

async function threeOpenings(journal: Journal, store: JournalUnderTest): Promise<readonly Journal[]> {
  return [journal, await store.open(), await store.open()];
}

export const concurrencyCases: readonly ConformanceCase[] = [
  journalCase('of several appends that expect the same leaf exactly one is written', async (journal, store) => {
    const openings = await threeOpenings(journal, store);
    let leaf = (await add(journal, main, user('begin'))).id;
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((writer): Promise<AppendOutcome> => {
          const opening = openings[writer % openings.length] ?? journal;
          return opening.append(main, user(`${round}.${writer}`), { expectedLeaf: leaf });
        }),
      );
      const winners = outcomes.filter((outcome) => outcome.kind === 'appended');
      assert.equal(winners.length, 1);
      const winner = winners[0]?.entry;
      assert.equal(winner?.parentId, leaf);
      leaf = winner?.id ?? leaf;
      for (const outcome of outcomes) if (outcome.kind === 'conflict') assert.equal(outcome.leaf, leaf);
      for (const opening of openings) assert.equal((await opening.projection(main)).leaf, leaf);
    }
    assert.equal((await branchOf(journal, main)).length, 6);
    for (const opening of openings) await checkedProjection(opening, main);
  }),

  journalCase('of several first appends exactly one begins the session', async (journal, store) => {
    const openings = await threeOpenings(journal, store);
    const outcomes = await Promise.all(
      openings.map((opening) => opening.append(main, user('first'), { expectedLeaf: null })),
    );
    assert.equal(outcomes.filter((outcome) => outcome.kind === 'appended').length, 1);
    assert.equal((await branchOf(journal, main)).length, 1);
  }),

  journalCase('appends after any leaf are all written, one after another', async (journal, store) => {
    const openings = await threeOpenings(journal, store);
    const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
    const entries = await Promise.all(
      texts.map((text, index) => add(openings[index % openings.length] ?? journal, main, user(text))),
    );
    for (const opening of openings) {
      const branch = await branchOf(opening, main);
      assert.deepEqual(new Set(branch.map((entry) => entry.id)), new Set(entries.map((entry) => entry.id)));
      await checkedProjection(opening, main);
    }
  }),

  journalCase('writers that decide again after each conflict all get their turn', async (journal, store) => {
    const openings = await threeOpenings(journal, store);
    await Promise.all(
      openings.map(async (opening, writer) => {
        for (let left = 4; left > 0; ) {
          const { leaf } = await opening.projection(main);
          const outcome = await opening.append(main, user(`${writer}.${left}`), { expectedLeaf: leaf });
          if (outcome.kind === 'appended') left--;
        }
      }),
    );
    assert.equal((await branchOf(journal, main)).length, 12);
    await checkedProjection(journal, main);
  }),

  journalCase('an opening sees what another one wrote', async (journal, store) => {
    const second = await store.open();
    const entry = await add(journal, main, user('from the first'));
    assert.deepEqual(await branchOf(second, main), [entry]);
    const answer = await add(second, main, user('from the second'), { expectedLeaf: entry.id });
    assert.equal((await journal.projection(main)).leaf, answer.id);
    await second.fork(main, entry.id, other);
    assert.equal((await journal.sessions()).length, 2);
    assert.equal((await checkedProjection(journal, other)).leaf, entry.id);
  }),

  journalCase('of several forks onto one session exactly one is made', async (journal, store) => {
    const openings = await threeOpenings(journal, store);
    const entry = await add(journal, main, user('a'));
    const forks = await Promise.allSettled(openings.map((opening) => opening.fork(main, entry.id, other)));
    assert.equal(forks.filter((fork) => fork.status === 'fulfilled').length, 1);
    for (const fork of forks)
      if (fork.status === 'rejected') await rejects(Promise.reject(fork.reason), 'journal_session_exists');
  }),

  journalCase('sessions do not stand in each other’s way', async (journal, store) => {
    const openings = await threeOpenings(journal, store);
    await Promise.all(
      openings.map(async (opening, index) => {
        const session = `session-${index}` as typeof main;
        for (let turn = 0; turn < 5; turn++) {
          const { leaf } = await opening.projection(session);
          await add(opening, session, user(`${turn}`), { expectedLeaf: leaf });
        }
      }),
    );
    assert.deepEqual(
      (await journal.sessions()).map((session) => session.entries),
      [5, 5, 5],
    );
  }),
];
