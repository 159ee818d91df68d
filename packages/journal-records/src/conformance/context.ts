import assert from 'node:assert/strict';
import { activeVersion } from '../projection.ts';
import {
  absent,
  add,
  addAll,
  assistant,
  type ConformanceCase,
  checkedProjection,
  claiming,
  compaction,
  delivery,
  hash,
  journalCase,
  main,
  other,
  readResult,
  rejects,
  request,
  rewind,
  settling,
  startup,
  tombstone,
  user,
} from './case.ts';

export const contextCases: readonly ConformanceCase[] = [
  journalCase('the latest version of a path counts, before the startup set', async (journal) => {
    await addAll(journal, main, startup(['x.md', '1'], ['y.md', '2']), delivery('x.md', '3'), delivery('x.md', '4'));
    const projection = await checkedProjection(journal, main);
    assert.equal(activeVersion(projection, 'x.md'), hash('4'));
    assert.equal(activeVersion(projection, 'y.md'), hash('2'));
    await add(journal, main, tombstone('y.md', 'x.md'));
    assert.equal(activeVersion(await checkedProjection(journal, main), 'y.md'), undefined);
  }),

  journalCase('a compaction drops what is older than the kept entry and nothing else', async (journal) => {
    const [, , kept] = await addAll(
      journal,
      main,
      startup(['s.md', '1']),
      delivery('old.md', '2'),
      delivery('kept.md', '3'),
      delivery('s.md', '4'),
    );
    await add(journal, main, compaction(kept ?? null));
    const projection = await checkedProjection(journal, main);
    assert.equal(projection.floor, 1);
    assert.equal(activeVersion(projection, 'old.md'), undefined);
    assert.equal(activeVersion(projection, 'kept.md'), hash('3'));
    assert.equal(activeVersion(projection, 's.md'), hash('4'));
    await add(journal, main, compaction(null));
    const compacted = await checkedProjection(journal, main);
    assert.equal(compacted.floor, 4);
    assert.equal(activeVersion(compacted, 'kept.md'), undefined);
    assert.equal(activeVersion(compacted, 's.md'), hash('1'));
  }),

  journalCase(
    'a compaction that would keep more than an earlier one kept does not bring anything back',
    async (journal) => {
      const [first] = await addAll(journal, main, delivery('x.md', '1'), user('a'));
      await addAll(journal, main, compaction(null), compaction(first ?? null));
      const projection = await checkedProjection(journal, main);
      assert.equal(projection.floor, 1);
      assert.equal(activeVersion(projection, 'x.md'), undefined);
    },
  ),

  journalCase('a compaction keeps from an entry of its own branch, at its true depth', async (journal) => {
    const [a, b] = await addAll(journal, main, user('a'), user('b'));
    await rewind(journal, main, a ?? null);
    for (const id of [absent, b?.id ?? absent]) {
      const draft = { kind: 'compaction', summary: '', keepFrom: { id, depth: 1 } } as const;
      await rejects(journal.append(main, draft, { expectedLeaf: 'any' }), 'journal_unknown_entry');
    }
    const wrong = { kind: 'compaction', summary: '', keepFrom: { id: a?.id ?? absent, depth: 1 } } as const;
    await rejects(journal.append(main, wrong, { expectedLeaf: 'any' }), 'journal_unknown_entry');
    const onOtherBranch = { expectedLeaf: 'any', parent: b?.id } as const;
    await add(journal, main, compaction(b ?? null), onOtherBranch);
    await checkedProjection(journal, main);
  }),

  journalCase('a fork may compact what it inherited', async (journal) => {
    const [, b] = await addAll(journal, main, delivery('x.md', '1'), delivery('y.md', '2'));
    await journal.fork(main, b?.id ?? null, other);
    await add(journal, other, compaction(b ?? null));
    const forked = await checkedProjection(journal, other);
    assert.equal(activeVersion(forked, 'x.md'), undefined);
    assert.equal(activeVersion(forked, 'y.md'), hash('2'));
    assert.equal(activeVersion(await checkedProjection(journal, main), 'x.md'), hash('1'));
  }),

  journalCase('going back before a compaction brings back what it dropped', async (journal) => {
    const [a] = await addAll(journal, main, delivery('x.md', '1'), compaction(null));
    await rewind(journal, main, a ?? null);
    assert.equal(activeVersion(await checkedProjection(journal, main), 'x.md'), hash('1'));
  }),

  journalCase('clearing the context leaves the startup set alone', async (journal) => {
    await addAll(journal, main, startup(['s.md', '1']), assistant('', 'c1', 'c2'), readResult('c1', 'a.ts'));
    await addAll(journal, main, delivery('x.md', '2'), tombstone('s.md'), { kind: 'context-cleared' });
    const projection = await checkedProjection(journal, main);
    assert.equal(projection.floor, 5);
    assert.equal(projection.delivered.size, 0);
    assert.equal(activeVersion(projection, 's.md'), hash('1'));
    assert.deepEqual(projection.pendingTouches, []);
    assert.deepEqual(projection.openToolCalls, []);
  }),

  journalCase('touches wait until a record settles them by name, and an answer settles none', async (journal) => {
    await addAll(journal, main, assistant('', 'c1', 'c2', 'c3'), readResult('c1', 'a.ts'), readResult('c3', 'a.ts'));
    const busy = await checkedProjection(journal, main);
    assert.deepEqual(busy.openToolCalls, ['c2']);
    assert.deepEqual(busy.pendingTouches, ['a.ts']);
    await add(journal, main, {
      kind: 'message',
      role: 'tool',
      toolCallId: 'c2',
      text: '',
      isError: true,
      details: { fileAccess: { path: 'failed.ts' } },
    });
    await addAll(journal, main, { kind: 'touch', paths: ['b.ts', 'c.ts'] }, assistant('done'));
    assert.deepEqual((await checkedProjection(journal, main)).pendingTouches, ['a.ts', 'b.ts', 'c.ts']);
    await add(journal, main, settling(delivery('x.md', '1'), ['a.ts']));
    assert.deepEqual((await checkedProjection(journal, main)).pendingTouches, ['b.ts', 'c.ts']);
    await add(journal, main, request(1, ['c.ts', 'never-touched.ts']));
    const asked = await checkedProjection(journal, main);
    assert.deepEqual(asked.pendingTouches, ['b.ts']);
    assert.equal(asked.requests, 1);
  }),

  journalCase('a claimed delivery is in the context until it is given back', async (journal) => {
    const first = await add(journal, main, delivery('x.md', '1'));
    await add(journal, main, { kind: 'touch', paths: ['a.ts'] });
    const claimed = await add(journal, main, claiming(delivery('x.md', '2', hash('1')), ['a.ts']));
    const open = await checkedProjection(journal, main);
    assert.equal(activeVersion(open, 'x.md'), hash('2'));
    assert.deepEqual(open.pendingTouches, []);
    assert.deepEqual([...open.claims.keys()], [claimed.id]);

    await add(journal, main, { kind: 'claim', delivery: claimed.id, outcome: 'given-back' });
    const back = await checkedProjection(journal, main);
    assert.equal(activeVersion(back, 'x.md'), hash('1'));
    assert.equal(back.delivered.get('x.md')?.entryId, first.id);
    assert.deepEqual(back.pendingTouches, ['a.ts']);
    assert.equal(back.claims.size, 0);
  }),

  journalCase('a claim that was confirmed stays, and giving it back later changes nothing', async (journal) => {
    const claimed = await add(journal, main, claiming(delivery('x.md', '1'), ['a.ts']));
    await add(journal, main, { kind: 'claim', delivery: claimed.id, outcome: 'confirmed' });
    await add(journal, main, { kind: 'claim', delivery: claimed.id, outcome: 'given-back' });
    const projection = await checkedProjection(journal, main);
    assert.equal(activeVersion(projection, 'x.md'), hash('1'));
    assert.deepEqual(projection.pendingTouches, []);
  }),

  journalCase('claims that are given back in any order leave nothing of themselves', async (journal) => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const claims = [
        await add(journal, main, claiming(delivery('x.md', '1'), ['a.ts'])),
        await add(journal, main, claiming(delivery('x.md', '2', hash('1')), ['b.ts'])),
      ];
      for (const index of order) {
        const id = claims[index]?.id ?? absent;
        await add(journal, main, { kind: 'claim', delivery: id, outcome: 'given-back' });
      }
      const projection = await checkedProjection(journal, main);
      assert.equal(activeVersion(projection, 'x.md'), undefined);
      assert.deepEqual([...projection.pendingTouches].sort(), ['a.ts', 'b.ts']);
    }
  }),

  journalCase('what a compaction dropped does not come back with a claim that is given back', async (journal) => {
    await add(journal, main, delivery('x.md', '1'));
    const claimed = await add(journal, main, claiming(delivery('x.md', '2', hash('1')), ['a.ts']));
    await add(journal, main, compaction(claimed));
    await add(journal, main, { kind: 'claim', delivery: claimed.id, outcome: 'given-back' });
    const projection = await checkedProjection(journal, main);
    assert.equal(activeVersion(projection, 'x.md'), undefined);
    assert.deepEqual(projection.pendingTouches, ['a.ts']);
  }),

  journalCase('a result without a recorded call is kept', async (journal) => {
    await add(journal, main, readResult('never-called', 'a.ts'));
    assert.deepEqual((await checkedProjection(journal, main)).pendingTouches, ['a.ts']);
  }),
];
