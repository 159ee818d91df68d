import assert from 'node:assert/strict';
import { emptyProjection } from '../projection.ts';
import {
  absent,
  add,
  addAll,
  branchOf,
  type ConformanceCase,
  checkedProjection,
  delivery,
  hash,
  journalCase,
  main,
  other,
  rejects,
  rewind,
  startup,
  third,
  tombstone,
  user,
} from './case.ts';

export const treeCases: readonly ConformanceCase[] = [
  journalCase('a branch runs from the leaf to the first entry', async (journal) => {
    const entries = await addAll(journal, main, user('a'), user('b'), user('c'));
    assert.deepEqual(await branchOf(journal, main), [...entries].reverse());
    assert.deepEqual(await branchOf(journal, main, entries[1]?.id), [entries[1], entries[0]]);
    await rejects(branchOf(journal, main, absent), 'journal_unknown_entry');
    await rejects(branchOf(journal, other, entries[0]?.id), 'journal_unknown_entry');
  }),

  journalCase('a branch that is read keeps still while entries are appended', async (journal) => {
    const entries = await addAll(journal, main, user('a'), user('b'), user('c'));
    const seen: unknown[] = [];
    for await (const entry of journal.branch(main)) {
      seen.push(entry);
      await add(journal, main, user('meanwhile'));
    }
    assert.deepEqual(seen, [...entries].reverse());
  }),

  journalCase('a rewind continues from an earlier entry and leaves the other branch readable', async (journal) => {
    const [a, b, c] = await addAll(journal, main, user('a'), delivery('x.md', '1'), user('c'));
    const back = await rewind(journal, main, a ?? null);
    assert.equal(back.parentId, a?.id);
    assert.equal(back.depth, 1);
    assert.deepEqual(await branchOf(journal, main), [back, a]);
    assert.deepEqual(await branchOf(journal, main, c?.id), [c, b, a]);
    assert.equal((await checkedProjection(journal, main)).delivered.size, 0);
    const forth = await add(journal, main, user('again'), { expectedLeaf: back.id, parent: c?.id });
    assert.deepEqual(await branchOf(journal, main), [forth, c, b, a]);
    assert.equal((await checkedProjection(journal, main)).delivered.size, 1);
    assert.deepEqual(await journal.sessions(), [{ id: main, entries: 5, leaf: forth.id, forkedFrom: null }]);
  }),

  journalCase('a rewind before the first entry begins a new branch', async (journal) => {
    await addAll(journal, main, startup(['AGENTS.md', '1']), user('a'));
    const back = await rewind(journal, main, null);
    assert.equal(back.parentId, null);
    assert.deepEqual(await branchOf(journal, main), [back]);
    assert.equal((await checkedProjection(journal, main)).startupEntry, undefined);
  }),

  journalCase('a rewind that expects another leaf is a conflict', async (journal) => {
    const [a, b] = await addAll(journal, main, user('a'), user('b'));
    const outcome = await journal.append(main, { kind: 'rewind' }, { expectedLeaf: a?.id ?? null, parent: a?.id });
    assert.deepEqual(outcome, { kind: 'conflict', leaf: b?.id });
  }),

  journalCase('a fork at an inner entry inherits what came before it, and shares no future', async (journal) => {
    const [a, b] = await addAll(
      journal,
      main,
      startup(['AGENTS.md', '1']),
      delivery('x.md', '2'),
      delivery('x.md', '3'),
    );
    const forked = await journal.fork(main, b?.id ?? null, other);
    assert.equal(forked.leaf, b?.id);
    assert.equal(forked.startup.get('AGENTS.md'), hash('1'));
    assert.equal(forked.delivered.get('x.md')?.sha256, hash('2'));
    assert.deepEqual(forked, await checkedProjection(journal, other));
    assert.deepEqual(await branchOf(journal, other), [b, a]);

    const mine = await add(journal, other, delivery('y.md', '4'), { expectedLeaf: b?.id ?? null });
    assert.equal(mine.sessionId, other);
    assert.equal(mine.depth, 2);
    await add(journal, main, user('elsewhere'));
    assert.deepEqual(await branchOf(journal, other), [mine, b, a]);
    assert.equal((await checkedProjection(journal, main)).delivered.has('y.md'), false);
    assert.equal((await checkedProjection(journal, main)).delivered.get('x.md')?.sha256, hash('3'));
  }),

  journalCase('a fork of a fork reaches through both', async (journal) => {
    const [a, b] = await addAll(journal, main, startup(['AGENTS.md', '1']), user('b'), user('c'));
    await journal.fork(main, b?.id ?? null, other);
    const [d, e] = await addAll(journal, other, user('d'), user('e'));
    await journal.fork(other, d?.id ?? null, third);
    const f = await add(journal, third, user('f'));
    assert.deepEqual(await branchOf(journal, third), [f, d, b, a]);
    assert.deepEqual(await branchOf(journal, third, a?.id), [a]);
    assert.equal((await checkedProjection(journal, third)).startupEntry?.id, a?.id);
    await rejects(branchOf(journal, third, e?.id), 'journal_unknown_entry');

    await journal.fork(third, a?.id ?? null, 'fourth' as typeof main);
    assert.deepEqual(await branchOf(journal, 'fourth' as typeof main), [a]);
  }),

  journalCase('forks without an entry of their own can be forked', async (journal, store) => {
    const [a, b] = await addAll(journal, main, delivery('x.md', '1'), user('b'));
    await journal.fork(main, b?.id ?? null, other);
    await journal.fork(other, b?.id ?? null, third);
    await journal.fork(third, a?.id ?? null, 'fourth' as typeof main);
    for (const each of [journal, await store.open()]) {
      assert.deepEqual(await branchOf(each, third), [b, a]);
      assert.deepEqual(await branchOf(each, 'fourth' as typeof main), [a]);
      await checkedProjection(each, third);
    }
    const c = await add(journal, third, user('c'), { expectedLeaf: b?.id ?? null });
    assert.deepEqual(await branchOf(journal, third), [c, b, a]);
    assert.deepEqual(await branchOf(journal, other), [b, a]);
  }),

  journalCase('reading a branch may stop at any entry', async (journal) => {
    const entries = await addAll(journal, main, user('a'), user('b'), user('c'));
    for await (const entry of journal.branch(main)) {
      assert.deepEqual(entry, entries.at(-1));
      break;
    }
    await add(journal, main, user('d'));
    assert.equal((await branchOf(journal, main)).length, 4);
  }),

  journalCase('a long branch is read and projected whole', async (journal, store) => {
    for (let turn = 0; turn < 150; turn++) {
      await addAll(journal, main, user(`${turn}`), delivery(`${turn % 7}.md`, String(turn % 10)));
    }
    const projection = await checkedProjection(journal, main);
    assert.equal(projection.depth, 299);
    assert.equal(projection.delivered.size, 7);
    assert.deepEqual(await checkedProjection(await store.open(), main), projection);
  }),

  journalCase('a fork knows no entry of the other session after the place where it began', async (journal) => {
    const [a, b] = await addAll(journal, main, user('a'), user('b'));
    await journal.fork(main, a?.id ?? null, other);
    const late = await add(journal, main, user('late'));
    for (const parent of [b?.id, late.id]) {
      await rejects(journal.append(other, user('x'), { expectedLeaf: 'any', parent }), 'journal_unknown_entry');
      await rejects(branchOf(journal, other, parent), 'journal_unknown_entry');
      await rejects(journal.fork(other, parent ?? null, third), 'journal_unknown_entry');
    }
  }),

  journalCase('a fork may go back behind the place where it began', async (journal) => {
    const [a, b] = await addAll(journal, main, user('a'), user('b'));
    await journal.fork(main, b?.id ?? null, other);
    const back = await rewind(journal, other, a ?? null);
    assert.deepEqual(await branchOf(journal, other), [back, a]);
    assert.deepEqual(await branchOf(journal, main), [b, a]);
    await checkedProjection(journal, other);
  }),

  journalCase('a fork at a branch that was left inherits that branch', async (journal) => {
    const [a, b] = await addAll(journal, main, user('a'), delivery('x.md', '1'));
    await rewind(journal, main, a ?? null);
    await journal.fork(main, b?.id ?? null, other);
    assert.deepEqual(await branchOf(journal, other), [b, a]);
    assert.equal((await checkedProjection(journal, other)).delivered.get('x.md')?.sha256, hash('1'));
  }),

  journalCase('a fork inherits tombstones', async (journal) => {
    const [, , gone] = await addAll(journal, main, startup(['x.md', '1']), delivery('x.md', '2'), tombstone('x.md'));
    await add(journal, main, delivery('x.md', '3'));
    const forked = await journal.fork(main, gone?.id ?? null, other);
    assert.equal(forked.delivered.get('x.md')?.sha256, null);
    assert.deepEqual(forked, await checkedProjection(journal, other));
  }),

  journalCase('a fork before the first entry begins empty', async (journal) => {
    await add(journal, main, startup(['AGENTS.md', '1']));
    assert.deepEqual(await journal.fork(main, null, other), emptyProjection);
    const entry = await add(journal, other, user('x'), { expectedLeaf: null });
    assert.equal(entry.depth, 0);
    assert.deepEqual(await branchOf(journal, other), [entry]);
  }),

  journalCase('a fork is refused from what is not there, and onto what is', async (journal) => {
    const entry = await add(journal, main, user('a'));
    await add(journal, other, user('b'));
    await rejects(journal.fork(third, null, 'fresh' as typeof main), 'journal_unknown_session');
    await rejects(journal.fork(main, absent, third), 'journal_unknown_entry');
    await rejects(journal.fork(main, entry.id, other), 'journal_session_exists');
    await rejects(journal.fork(main, entry.id, main), 'journal_session_exists');
    assert.equal((await journal.sessions()).length, 2);
  }),

  journalCase('sessions are listed in code-point order with their own entries, leaf and origin', async (journal) => {
    const [first] = await addAll(journal, 'b' as typeof main, user('1'), user('2'));
    const last = await add(journal, 'B' as typeof main, user('3'));
    await journal.fork('b' as typeof main, first?.id ?? null, 'a-fork' as typeof main);
    await journal.fork('b' as typeof main, null, 'Z' as typeof main);
    const sessions = await journal.sessions();
    assert.deepEqual(
      sessions.map(({ id, entries }) => [id, entries]),
      [
        ['B', 1],
        ['Z', 0],
        ['a-fork', 0],
        ['b', 2],
      ],
    );
    assert.deepEqual(sessions[0], { id: 'B', entries: 1, leaf: last.id, forkedFrom: null });
    assert.deepEqual(sessions[1], { id: 'Z', entries: 0, leaf: null, forkedFrom: { sessionId: 'b', at: null } });
    assert.deepEqual(sessions[2], {
      id: 'a-fork',
      entries: 0,
      leaf: first?.id,
      forkedFrom: { sessionId: 'b', at: first?.id },
    });
  }),
];
