import assert from 'node:assert/strict';
import type { Draft } from '../entry.ts';
import { advance } from '../fold.ts';
import { MAX_DRAFT_TEXT } from '../json.ts';
import { emptyProjection } from '../projection.ts';
import {
  absent,
  add,
  addAll,
  assistant,
  branchOf,
  type ConformanceCase,
  checkedProjection,
  journalCase,
  main,
  rejects,
  user,
} from './case.ts';

export const appendCases: readonly ConformanceCase[] = [
  journalCase('a session begins with its first entry', async (journal) => {
    assert.deepEqual(await journal.sessions(), []);
    assert.deepEqual(await journal.projection(main), emptyProjection);
    assert.deepEqual(await branchOf(journal, main), []);
    const entry = await add(journal, main, user('hello'), { expectedLeaf: null });
    assert.equal(entry.depth, 0);
    assert.equal(entry.parentId, null);
    assert.equal(entry.sessionId, main);
    assert.ok(Number.isSafeInteger(entry.at));
    assert.deepEqual(await journal.sessions(), [{ id: main, entries: 1, leaf: entry.id, forkedFrom: null }]);
  }),

  journalCase('an entry is the draft beside what the journal adds', async (journal) => {
    const draft = assistant('looking', 'c1', 'c2');
    const { id, parentId, sessionId, depth, at, ...rest } = await add(journal, main, draft);
    assert.deepEqual(rest, draft);
    assert.deepEqual(await branchOf(journal, main), [{ id, parentId, sessionId, depth, at, ...draft }]);
  }),

  journalCase('an append answers the projection right after it', async (journal) => {
    const before = await journal.projection(main);
    const outcome = await journal.append(main, assistant('', 'c1'), { expectedLeaf: null });
    assert.equal(outcome.kind, 'appended');
    if (outcome.kind === 'appended') {
      assert.deepEqual(outcome.projection, advance(before, outcome.entry));
      assert.deepEqual(outcome.projection, await checkedProjection(journal, main));
    }
  }),

  journalCase('an append that expects another leaf writes nothing and tells the leaf', async (journal) => {
    const [first, second] = await addAll(journal, main, user('one'), user('two'));
    for (const expectedLeaf of [null, first?.id ?? null, absent]) {
      assert.deepEqual(await journal.append(main, user('late'), { expectedLeaf }), {
        kind: 'conflict',
        leaf: second?.id,
      });
    }
    assert.deepEqual(await journal.append('fresh' as typeof main, user('late'), { expectedLeaf: absent }), {
      kind: 'conflict',
      leaf: null,
    });
    assert.equal((await branchOf(journal, main)).length, 2);
    assert.equal((await journal.sessions()).length, 1);
  }),

  journalCase('an append after any leaf continues from the one there is', async (journal) => {
    const [first, second] = await addAll(journal, main, user('one'), user('two'));
    assert.equal(second?.parentId, first?.id);
  }),

  journalCase('a parent that no branch of the session has is refused', async (journal) => {
    await add(journal, main, user('one'));
    const elsewhere = await add(journal, 'elsewhere' as typeof main, user('one'));
    for (const parent of [absent, elsewhere.id]) {
      await rejects(journal.append(main, user('two'), { expectedLeaf: 'any', parent }), 'journal_unknown_entry');
    }
    assert.equal((await branchOf(journal, main)).length, 1);
  }),

  journalCase('a draft that is no record is refused and writes nothing', async (journal) => {
    const broken: readonly unknown[] = [
      null,
      { kind: 'message', role: 'user' },
      { kind: 'message', role: 'nobody', text: '' },
      { kind: 'message', role: 'user', text: 'x', id: 'mine' },
      { kind: 'no-such-kind' },
      { kind: 'custom', name: 'x', data: Number.NaN },
      { kind: 'custom', name: 'x', data: [undefined] },
      { kind: 'custom', name: 'x', data: new Date(0) },
      { kind: 'custom', name: 'x', data: () => 1 },
      { kind: 'unknown', originalKind: 'message', data: { role: 'user', text: 'x' } },
      { kind: 'compaction', summary: '', keepFrom: { id: 'x', depth: -1 } },
    ];
    for (const draft of broken) {
      await rejects(journal.append(main, draft as Draft, { expectedLeaf: 'any' }), 'journal_invalid_draft');
    }
    assert.deepEqual(await journal.sessions(), []);
  }),

  journalCase('a draft over the size limit is refused and writes nothing', async (journal) => {
    const half = 'x'.repeat(MAX_DRAFT_TEXT / 2);
    const draft: Draft = { kind: 'custom', name: 'big', data: [half, half] };
    await rejects(journal.append(main, draft, { expectedLeaf: 'any' }), 'journal_invalid_draft');
    assert.deepEqual(await journal.sessions(), []);
  }),

  journalCase('a draft that the caller changes afterwards does not change the entry', async (journal) => {
    const data = { list: ['as appended'] };
    const appending = journal.append(main, { kind: 'custom', name: 'x', data }, { expectedLeaf: null });
    data.list.push('later');
    await appending;
    data.list.push('still later');
    const [entry] = await branchOf(journal, main);
    assert.equal(entry?.kind, 'custom');
    if (entry?.kind === 'custom') assert.deepEqual(entry.data, { list: ['as appended'] });
  }),

  journalCase('an append whose signal has fired writes nothing and rejects with its reason', async (journal) => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await assert.rejects(journal.append(main, user('x'), { expectedLeaf: 'any', signal }), (error) => error === reason);
    assert.deepEqual(await journal.sessions(), []);
  }),
];
