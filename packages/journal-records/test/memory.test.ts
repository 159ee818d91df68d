import {
  createMemoryJournal,
  createMemoryStore,
  type Draft,
  isJournalError,
  parseSessionId,
  sessionId,
} from '@codicil/journal-records';
import { expect, test } from 'vitest';

const main = sessionId('main');
const hello: Draft = { kind: 'message', role: 'user', text: 'hello' };

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return isJournalError(error) ? error.code : 'another error';
  }
}

test('entries carry the time of the given clock, in whole milliseconds', async () => {
  const journal = createMemoryJournal({ clock: () => 12.75 });
  const outcome = await journal.append(main, hello, { expectedLeaf: null });
  expect(outcome.kind === 'appended' && outcome.entry.at).toBe(12);
});

test('an append that fails before it took effect leaves nothing', async () => {
  const journal = createMemoryJournal();
  journal.failAppends(2, 'before');
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await codeOf(journal.append(main, hello, { expectedLeaf: null }))).toBe('journal_write_failed');
    expect(await journal.sessions()).toEqual([]);
  }
  expect(await codeOf(journal.append(main, hello, { expectedLeaf: null }))).toBeUndefined();
});

test('an append that fails after it took effect leaves the entry', async () => {
  const journal = createMemoryJournal();
  journal.failAppends(1, 'after');
  expect(await codeOf(journal.append(main, hello, { expectedLeaf: null }))).toBe('journal_write_failed');
  const { leaf, depth } = await journal.projection(main);
  expect(depth).toBe(0);
  expect(await journal.append(main, hello, { expectedLeaf: null })).toEqual({ kind: 'conflict', leaf });
});

test('a conflict or a refused draft uses up no failure', async () => {
  const journal = createMemoryJournal();
  await journal.append(main, hello, { expectedLeaf: null });
  journal.failAppends(1, 'before');
  expect((await journal.append(main, hello, { expectedLeaf: null })).kind).toBe('conflict');
  expect(await codeOf(journal.append(main, { kind: 'nonsense' } as never, { expectedLeaf: 'any' }))).toBe(
    'journal_invalid_draft',
  );
  expect(await codeOf(journal.append(main, hello, { expectedLeaf: 'any' }))).toBe('journal_write_failed');
});

test('an entry cannot be changed by who holds it', async () => {
  const journal = createMemoryJournal();
  const outcome = await journal.append(
    main,
    { kind: 'custom', name: 'x', data: { list: [1] } },
    { expectedLeaf: null },
  );
  if (outcome.kind !== 'appended' || outcome.entry.kind !== 'custom') throw new Error('not appended');
  const { entry } = outcome;
  expect(() => Object.assign(entry, { depth: 7 })).toThrow(TypeError);
  expect(() => (entry.data as { list: number[] }).list.push(2)).toThrow(TypeError);
});

test('a text is a session id or it is not', () => {
  expect(parseSessionId('2026-12-01_a.b')).toBe('2026-12-01_a.b');
  expect(parseSessionId('x'.repeat(200))).toBeDefined();
  for (const text of ['', '.', '.x', 'x'.repeat(201), 'a/b', 'a\n', 'ä', 'a b']) {
    expect(parseSessionId(text)).toBeUndefined();
    expect(() => sessionId(text)).toThrow(expect.objectContaining({ code: 'journal_invalid_session_id' }));
  }
});

test('verifying finds nothing wrong while others append', async () => {
  const store = createMemoryStore();
  const journal = createMemoryJournal({ store });
  const other = createMemoryJournal({ store });
  await journal.append(main, hello, { expectedLeaf: null });
  const verifying = journal.verify();
  await Promise.all([1, 2, 3].map(() => other.append(main, hello, { expectedLeaf: 'any' })));
  expect((await verifying).problems).toEqual([]);
});
