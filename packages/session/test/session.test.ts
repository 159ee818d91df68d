import { createMemoryJournal, sessionId } from '@codicil/journal-records';
import { digestOf, openSession, requestsOf } from '@codicil/session';
import { composeFromJournal } from '@codicil/turn-context';
import { expect, test } from 'vitest';
import { instructionsIn, RULE, Stage } from './stage.ts';

const PROJECT = { 'AGENTS.md': 'root\n', '.elowen/rules/src.md': RULE, 'src/a.ts': '', 'src/b.ts': '' };

test('a request before the start is refused', async () => {
  const stage = await Stage.open(PROJECT);
  const session = await openSession({
    journal: createMemoryJournal(),
    resolver: stage.resolver,
    sessionId: sessionId('new'),
  });
  await expect(session.request()).rejects.toMatchObject({ code: 'session_not_started' });
});

test('the journal proves each request that was sent', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.session.prompt('go');
  const sent = [await stage.session.request(), await stage.touchAndSend('src/a.ts')];
  const requests = await requestsOf(stage.journal, stage.session.id);
  expect(requests.map(({ number }) => number)).toEqual([1, 2]);
  expect(requests.map(({ delivered }) => delivered.length)).toEqual([0, 1]);
  for (const [index, { leaf, digest }] of requests.entries()) {
    if (leaf === null) throw new Error('a request has something before it');
    const composed = await composeFromJournal(stage.journal, stage.session.id, { from: leaf });
    expect(composed).toEqual(sent[index]?.request);
    expect(digestOf(composed)).toBe(digest);
  }
});

test('a failed delivery lets the request go, and the next one brings what was missed, after a restart too', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touch('src/a.ts');
  stage.journal.failAppends(1, 'before');
  const without = await stage.session.request();
  expect(without.delivery.kind).toBe('failed');
  expect(instructionsIn(without)).toEqual([]);
  await stage.session.answer({ text: 'going on', toolCalls: [] });
  await stage.restart();
  expect(instructionsIn(await stage.session.request())).toHaveLength(1);
});

test('a message that could not be recorded stops the session until it is opened again', async () => {
  const stage = await Stage.open(PROJECT);
  stage.journal.failAppends(1, 'before');
  await expect(stage.session.prompt('lost')).rejects.toMatchObject({ code: 'journal_write_failed' });
  await expect(stage.session.prompt('go')).rejects.toMatchObject({ code: 'session_persistence_latched' });
  await expect(stage.session.request()).rejects.toMatchObject({ code: 'session_persistence_latched' });
  await stage.restart();
  await stage.session.prompt('go');
  expect((await stage.session.request()).request.messages.map(({ text }) => text)).toEqual(['go']);
});

test('going back takes the records of the undone requests out of the context', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.session.prompt('go');
  await stage.session.request();
  await stage.touchAndSend('src/a.ts');
  await stage.session.rewind(1);
  const again = await stage.touchAndSend('src/b.ts');
  expect(again.number).toBe(2);
  expect(instructionsIn(again)).toHaveLength(1);
  await expect(stage.session.rewind(9)).rejects.toMatchObject({ code: 'session_no_such_request' });
});

test('a fork has what its parent had and shares no future with it', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  await stage.session.fork(sessionId('fork'));
  await stage.restart('fork');
  expect((await stage.session.start()).started).toBe(false);
  const inFork = await stage.touchAndSend('src/b.ts');
  expect(inFork.delivery.kind).toBe('nothing');
  expect(instructionsIn(inFork)).toHaveLength(1);
  await stage.session.clear();
  await stage.restart('main');
  expect((await stage.touchAndSend('src/b.ts')).delivery.kind).toBe('nothing');
});

test('clearing empties the context but for the startup set', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  await stage.session.clear();
  const { request } = await stage.session.request();
  expect(request.messages).toEqual([]);
  expect(request.system).toContain('root');
});

test('a call whose result the dead process never wrote gets an error result', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.call('src/a.ts');
  await stage.restart();
  const { request } = await stage.session.request();
  expect(request.messages.at(-1)).toMatchObject({ role: 'tool', isError: true, text: 'cut off' });
});

test('a rule that becomes conditional with the same text is not sent twice', async () => {
  const stage = await Stage.open({ '.elowen/rules/src.md': 'rules of src\n', 'src/a.ts': '' });
  stage.source.tree.write('.elowen/rules/src.md', RULE);
  expect((await stage.touchAndSend('src/a.ts')).delivery.kind).toBe('nothing');
});
