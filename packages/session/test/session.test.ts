import { createMemoryJournal, type Journal, type SessionId, sessionId } from '@codicil/journal-records';
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

test('a delivery that may be lost yet refuses every request until the session is opened again', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touch('src/a.ts');
  stage.journal.failAppends(1, 'unsynced');
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(stage.session.request()).rejects.toMatchObject({ code: 'session_persistence_latched' });
  }
  await stage.restart();
  expect(instructionsIn(await stage.session.request())).toHaveLength(1);
});

test('a request record that may be lost yet refuses every later request too', async () => {
  const stage = await Stage.open(PROJECT);
  stage.journal.failAppends(1, 'unsynced');
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(stage.session.request()).rejects.toMatchObject({ code: 'session_persistence_latched' });
  }
});

test('a result that follows no call stops the request before it counts as sent', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.result('never-called', 'src/a.ts');
  await expect(stage.session.request()).rejects.toMatchObject({ code: 'turn_context_result_without_call' });
  expect((await stage.session.projection()).requests).toBe(0);
  expect(await requestsOf(stage.journal, stage.session.id)).toEqual([]);
});

test('going back forgets the touches of the branch that is left, and clearing those before it', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.session.request();
  await stage.touch('src/a.ts');
  await stage.session.rewind(0);
  expect((await stage.session.request()).delivery.kind).toBe('nothing');
  await stage.touch('src/a.ts');
  await stage.session.clear();
  expect(instructionsIn(await stage.session.request())).toEqual([]);
});

test('touches that were delivered do not wait again after a restart, though the rule changed meanwhile', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  stage.source.tree.write('.elowen/rules/src.md', RULE.replace('rules of', 'new rules of'));
  await stage.restart();
  expect((await stage.session.request()).delivery.kind).toBe('nothing');
});

test('J6 a request after a compaction reads no entry from before it', async () => {
  const costs: number[] = [];
  for (const turns of [2, 200]) {
    const stage = await Stage.open(PROJECT);
    for (let turn = 0; turn < turns; turn++) await stage.session.prompt(`turn ${turn}`);
    await stage.session.compact({ summary: 'so far', keepRequests: 0 });
    await stage.session.prompt('go on');
    await stage.session.request();
    const before = stage.journal.entriesRead;
    await stage.session.prompt('and on');
    await stage.session.request();
    costs.push(stage.journal.entriesRead - before);
  }
  expect(costs[1]).toBe(costs[0]);
});

test('A3 a request settles the touches that were looked at, and none that a failed delivery left', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('docs/a.md');
  expect((await stage.session.projection()).pendingTouches).toEqual([]);
  await stage.touch('src/a.ts');
  stage.journal.failAppends(1, 'before');
  expect((await stage.session.request()).delivery.kind).toBe('failed');
  expect((await stage.session.projection()).pendingTouches).toEqual(['src/a.ts']);
});

test('a root file that cannot be read at the start is named, not taken for absent, and brought by a later start', async () => {
  const stage = await Stage.open(PROJECT);
  stage.source.tree.chmod('AGENTS.md', 0);
  const fresh = await openSession({ journal: stage.journal, resolver: stage.resolver, sessionId: sessionId('fresh') });
  expect(await fresh.start()).toMatchObject({ started: true, unavailable: ['AGENTS.md'] });
  expect((await fresh.request()).request.system).not.toContain('root');
  expect(await fresh.start()).toMatchObject({ started: false, unavailable: ['AGENTS.md'] });
  stage.source.tree.chmod('AGENTS.md', 0o644);
  expect(await fresh.start()).toMatchObject({ started: true, unavailable: [] });
  expect((await fresh.request()).request.system).toContain('root');
  expect(await fresh.start()).toMatchObject({ started: false, unavailable: [] });
});

test('J4 a compaction that another process overtakes by going back keeps from the branch that there is', async () => {
  const stage = await Stage.open(PROJECT);
  for (let turn = 0; turn < 3; turn++) await stage.touchAndSend('src/a.ts');
  let rivals = 1;
  const journal: Journal = Object.assign(Object.create(stage.journal) as Journal, {
    append: async (...args: Parameters<Journal['append']>) => {
      if (args[1].kind === 'compaction' && rivals-- > 0) await stage.session.rewind(2);
      return stage.journal.append(...args);
    },
    projection: (id: SessionId) => stage.journal.projection(id),
    branch: (...args: Parameters<Journal['branch']>) => stage.journal.branch(...args),
  });
  const session = await openSession({ journal, resolver: stage.resolver, sessionId: stage.session.id });
  const entry = await session.compact({ summary: 'so far', keepRequests: 1 });
  expect(entry).toMatchObject({ kind: 'compaction', keepFrom: { id: expect.any(String) } });
  expect((await session.request()).number).toBe(2);
});
