import { createMemoryJournal, type Draft, type JournalEntry, type Sha256, sessionId } from '@codicil/journal-records';
import { assertSendable, composeFromJournal, isTurnContextError, type ProviderRequest } from '@codicil/turn-context';
import { expect, test } from 'vitest';

const main = sessionId('main');
const sha256 = '0'.repeat(64) as Sha256;
const startup: Draft = { kind: 'startup', text: 'Use tabs.', modules: [{ relPath: 'AGENTS.md', sha256 }] };

function user(text: string): Draft {
  return { kind: 'message', role: 'user', text };
}

function assistant(text: string, ...ids: readonly string[]): Draft {
  const toolCalls = ids.map((id) => ({ id, name: 'read', input: { path: `${id}.ts` } }));
  return { kind: 'message', role: 'assistant', text, toolCalls };
}

function result(toolCallId: string): Draft {
  return { kind: 'message', role: 'tool', toolCallId, text: `read ${toolCallId}`, isError: false, details: undefined };
}

const delivery: Draft = {
  kind: 'turn-context',
  context: 'instructions',
  placement: 'after-message',
  text: '<instruction_module>',
  details: { instructions: [{ relPath: 'src/AGENTS.md', sha256, supersedes: null }], removed: [] },
};

async function conversation(...drafts: readonly Draft[]) {
  const journal = createMemoryJournal();
  const entries: JournalEntry[] = [];
  const say = async (...more: readonly Draft[]): Promise<void> => {
    for (const draft of more) {
      const outcome = await journal.append(main, draft, { expectedLeaf: 'any' });
      if (outcome.kind === 'appended') entries.push(outcome.entry);
    }
  };
  await say(...drafts);
  return { journal, entries, say, request: () => composeFromJournal(journal, main) };
}

function texts(request: ProviderRequest): readonly string[] {
  return request.messages.map(({ kind, text }) => (kind === 'message' ? text : `${kind}: ${text}`));
}

async function codeOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return isTurnContextError(error) ? error.code : 'another error';
  }
}

test('a session without entries gives an empty request', async () => {
  const { request } = await conversation();
  expect(await request()).toEqual({ system: '', messages: [], openToolCalls: [], strayResults: [] });
});

test('the startup text is the system text and the rest are messages in their order', async () => {
  const { request, entries } = await conversation(startup, user('hi'), assistant('', 'a'), result('a'), delivery);
  const call = { id: 'a', name: 'read', input: { path: 'a.ts' } };
  const id = (index: number) => entries[index]?.id;
  expect(await request()).toEqual({
    system: 'Use tabs.',
    messages: [
      { role: 'user', kind: 'message', text: 'hi', entryId: id(1) },
      { role: 'assistant', kind: 'message', text: '', toolCalls: [call], entryId: id(2) },
      { role: 'tool', kind: 'message', text: 'read a', toolCallId: 'a', isError: false, entryId: id(3) },
      {
        role: 'user',
        kind: 'instructions',
        text: '<instruction_module>',
        instructions: [{ relPath: 'src/AGENTS.md', sha256, supersedes: null }],
        removed: [],
        entryId: id(4),
      },
    ],
    openToolCalls: [],
    strayResults: [],
  });
});

test('records that are no part of the conversation give no message', async () => {
  const { request } = await conversation(
    startup,
    { kind: 'custom', name: 'usage', data: 1 },
    { kind: 'rewind' },
    { kind: 'unknown', originalKind: 'hologram', data: { text: 'x' } },
    { kind: 'turn-context', context: 'other', placement: 'after-message', text: 'the date', details: null },
  );
  expect(texts(await request())).toEqual(['context: the date']);
});

test('a compaction leads with its summary, then come the kept entries', async () => {
  const { request, say, entries } = await conversation(
    startup,
    user('old'),
    delivery,
    user('kept'),
    assistant('kept too'),
  );
  const kept = entries[3];
  if (kept === undefined) throw new Error('nothing to keep');
  await say({ kind: 'compaction', summary: 'so far', keepFrom: { id: kept.id, depth: kept.depth } }, user('next'));
  const composed = await request();
  expect(composed.system).toBe('Use tabs.');
  expect(texts(composed)).toEqual(['summary: so far', 'kept', 'kept too', 'next']);
  await say({ kind: 'compaction', summary: 'all', keepFrom: null });
  expect(texts(await request())).toEqual(['summary: all']);
});

test('only the latest summary is told, even where it keeps an earlier compaction', async () => {
  const { request, say, entries } = await conversation(
    user('a'),
    { kind: 'compaction', summary: 'one', keepFrom: null },
    user('b'),
  );
  const first = entries[1];
  if (first === undefined) throw new Error('nothing to keep');
  await say({ kind: 'compaction', summary: 'two', keepFrom: { id: first.id, depth: first.depth } });
  expect(texts(await request())).toEqual(['summary: two', 'b']);
});

test('a cleared context leaves the system text', async () => {
  const { request } = await conversation(
    startup,
    user('a'),
    { kind: 'compaction', summary: 's', keepFrom: null },
    { kind: 'context-cleared' },
    user('b'),
  );
  expect(await request()).toMatchObject({ system: 'Use tabs.', messages: [{ text: 'b' }] });
});

test('a rewind continues from the earlier entry', async () => {
  const { journal, request, entries, say } = await conversation(startup, user('a'), user('wrong way'));
  await journal.append(main, { kind: 'rewind' }, { expectedLeaf: 'any', parent: entries[1]?.id });
  await say(user('b'));
  expect(texts(await request())).toEqual(['a', 'b']);
  expect(texts(await composeFromJournal(journal, main, { from: entries[2]?.id }))).toEqual(['a', 'wrong way']);
});

test('context between a call and its result is refused, whether or not the result has come', async () => {
  for (const context of [delivery, { ...delivery, context: 'other' } as Draft]) {
    const open = await conversation(assistant('', 'a', 'b'), result('b'), context);
    expect(await codeOf(open.request)).toBe('turn_context_between_call_and_result');
    await open.say(result('a'));
    expect(await codeOf(open.request)).toBe('turn_context_between_call_and_result');
  }
});

test('results may come in any order, and records that give no message do not part them from their calls', async () => {
  const { request } = await conversation(
    assistant('', 'a', 'b'),
    result('b'),
    { kind: 'custom', name: 'x', data: 1 },
    result('a'),
    delivery,
  );
  expect(await codeOf(async () => assertSendable(await request()))).toBeUndefined();
});

test('an open call is listed and keeps the request from being sent', async () => {
  const { request, say } = await conversation(assistant('', 'a', 'b'), result('a'));
  expect((await request()).openToolCalls).toEqual(['b']);
  expect(await codeOf(async () => assertSendable(await request()))).toBe('turn_context_open_tool_calls');
  await say(result('b'));
  expect(await codeOf(async () => assertSendable(await request()))).toBeUndefined();
});

test('a result after another message does not settle its call', async () => {
  const { request } = await conversation(assistant('', 'a'), user('are you there?'), result('a'));
  expect(await request()).toMatchObject({ openToolCalls: ['a'], strayResults: ['a'] });
});

test('a result that was kept without its call is listed and keeps the request from being sent', async () => {
  const { request, say, entries } = await conversation(assistant('', 'a'), result('a'));
  const kept = entries[1];
  if (kept === undefined) throw new Error('nothing to keep');
  await say({ kind: 'compaction', summary: 's', keepFrom: { id: kept.id, depth: kept.depth } });
  expect((await request()).strayResults).toEqual(['a']);
  expect(await codeOf(async () => assertSendable(await request()))).toBe('turn_context_result_without_call');
});
