import assert from 'node:assert/strict';
import type { SessionId } from '../entry.ts';
import {
  add,
  addAll,
  assistant,
  branchOf,
  type ConformanceCase,
  checkedProjection,
  compaction,
  delivery,
  journalCase,
  main,
  other,
  readResult,
  rejects,
  rewind,
  startup,
  user,
} from './case.ts';

const invalidIds = [
  '',
  '.',
  '..',
  '.hidden',
  'a/b',
  'a\\b',
  'a b',
  'a\0',
  'é',
  'a:b',
  'a\n',
  'x'.repeat(201),
] as SessionId[];
const unusualIds = [
  '-',
  '_',
  '0',
  'a.b',
  'a..b',
  'a.',
  'CON',
  'nul.txt',
  'x'.repeat(200),
  'Main',
  'MAIN',
  'main',
] as SessionId[];

export const lifecycleCases: readonly ConformanceCase[] = [
  journalCase('a journal that is opened again gives the same as before', async (journal, store) => {
    const [a, b] = await addAll(journal, main, startup(['AGENTS.md', '1']), delivery('x.md', '2'), assistant('', 'c'));
    await add(journal, main, readResult('c', 'src/a.ts'));
    await journal.fork(main, b?.id ?? null, other);
    await addAll(journal, other, delivery('y.md', '3'), compaction(b ?? null), user('z'));
    await rewind(journal, main, a ?? null);
    const before = [await journal.projection(main), await journal.projection(other), await journal.sessions()];
    const branches = [await branchOf(journal, main), await branchOf(journal, other)];
    await journal.close();

    const again = await store.open();
    assert.deepEqual(
      [await checkedProjection(again, main), await checkedProjection(again, other), await again.sessions()],
      before,
    );
    assert.deepEqual([await branchOf(again, main), await branchOf(again, other)], branches);
    const next = await add(again, main, user('goes on'), { expectedLeaf: branches[0]?.[0]?.id ?? null });
    assert.equal(next.depth, 2);
  }),

  journalCase('an empty fork survives a new opening', async (journal, store) => {
    const entry = await add(journal, main, user('a'));
    await journal.fork(main, entry.id, other);
    const before = await journal.sessions();
    await journal.close();
    const again = await store.open();
    assert.deepEqual(await again.sessions(), before);
    assert.equal((await checkedProjection(again, other)).leaf, entry.id);
    await rejects(again.fork(main, entry.id, other), 'journal_session_exists');
  }),

  journalCase('a closed journal refuses everything but to be closed again', async (journal) => {
    await add(journal, main, user('a'));
    await journal.close();
    await journal.close();
    await rejects(journal.append(main, user('b'), { expectedLeaf: 'any' }), 'journal_closed');
    await rejects(journal.projection(main), 'journal_closed');
    await rejects(branchOf(journal, main), 'journal_closed');
    await rejects(journal.fork(main, null, other), 'journal_closed');
    await rejects(journal.sessions(), 'journal_closed');
    await rejects(journal.verify(), 'journal_closed');
  }),

  journalCase('a text that is no session id is refused everywhere', async (journal) => {
    await add(journal, main, user('a'));
    for (const id of invalidIds) {
      await rejects(journal.append(id, user('x'), { expectedLeaf: 'any' }), 'journal_invalid_session_id');
      await rejects(journal.projection(id), 'journal_invalid_session_id');
      await rejects(branchOf(journal, id), 'journal_invalid_session_id');
      await rejects(journal.fork(id, null, other), 'journal_invalid_session_id');
      await rejects(journal.fork(main, null, id), 'journal_invalid_session_id');
    }
    assert.equal((await journal.sessions()).length, 1);
  }),

  journalCase('unusual session ids are sessions of their own', async (journal, store) => {
    for (const id of unusualIds) await add(journal, id, user(id), { expectedLeaf: null });
    const again = await store.open();
    for (const id of unusualIds) {
      const [entry, ...more] = await branchOf(again, id);
      assert.ok(entry?.kind === 'message' && entry.text === id, `session ${id} is not its own`);
      assert.equal(more.length, 0);
    }
    assert.deepEqual(
      (await again.sessions()).map(({ id }) => id),
      [...unusualIds].sort(),
    );
  }),

  journalCase('a sound store has nothing to report', async (journal) => {
    assert.deepEqual(await journal.verify(), { sessions: 0, entries: 0, problems: [] });
    const [a] = await addAll(journal, main, user('a'), user('b'));
    await journal.fork(main, a?.id ?? null, other);
    await add(journal, other, user('c'));
    assert.deepEqual(await journal.verify(), { sessions: 2, entries: 3, problems: [] });
  }),
];
