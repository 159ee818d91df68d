import { openActivation } from '@codicil/activation';
import {
  createMemoryJournal,
  createMemoryStore,
  type Draft,
  type Journal,
  JournalError,
  type MemoryJournal,
  type Sha256,
  sessionId,
} from '@codicil/journal-records';
import { expect, test } from 'vitest';
import { World } from './world.ts';

const SESSION = sessionId('main');
const touched = (path: string) => ({ isError: false, details: { fileAccess: { path } } });

async function opened(journal: MemoryJournal = createMemoryJournal()) {
  const world = new World();
  world.set('src/AGENTS.md', 'rules of src');
  const activation = await openActivation({ resolver: world, journal, sessionId: SESSION });
  return { world, journal, activation };
}

async function record(journal: Journal, draft: Draft): Promise<void> {
  await journal.append(SESSION, draft, { expectedLeaf: 'any' });
}

test('a touch brings its module at the next boundary, and not again', async () => {
  const { activation } = await opened();
  activation.observe(touched('src/a.ts'));
  const first = await activation.deliver();
  expect(first).toMatchObject({
    kind: 'appended',
    entry: {
      text: '<instruction_module path="src/AGENTS.md">\nrules of src\n</instruction_module>',
      details: { instructions: [{ relPath: 'src/AGENTS.md', supersedes: null }], removed: [] },
    },
  });
  activation.observe(touched('src/a.ts'));
  activation.observe(touched('src/b.ts'));
  expect(await activation.deliver()).toMatchObject({
    kind: 'nothing',
    settles: ['src/a.ts', 'src/b.ts'],
    diagnostics: [],
  });
  expect(await activation.waiting()).toEqual([]);
});

test('parallel touches of one module, delivered twice at once, are one record', async () => {
  const { activation, journal } = await opened();
  for (const path of ['src/a.ts', 'src/b.ts', 'src/a.ts']) activation.observe(touched(path));
  const deliveries = await Promise.all([activation.deliver(), activation.deliver()]);
  expect(deliveries.map(({ kind }) => kind)).toEqual(['appended', 'nothing']);
  expect((await journal.projection(SESSION)).delivered.size).toBe(1);
});

test('a boundary without touches does not ask the resolver', async () => {
  const { activation, world } = await opened();
  await activation.deliver();
  expect(world.calls).toBe(0);
});

test('going back to the first text is a change, and marked like any other', async () => {
  const { activation, world, journal } = await opened();
  const supersedes: (string | null)[] = [];
  for (const text of ['rules of src', 'other rules', 'rules of src']) {
    world.set('src/AGENTS.md', text);
    activation.observe(touched('src/a.ts'));
    const delivery = await activation.deliver();
    if (delivery.kind !== 'appended' || delivery.entry.kind !== 'turn-context')
      throw new Error('a record was expected');
    expect(delivery.entry.text.includes('supersedes="earlier version"')).toBe(supersedes.length > 0);
    supersedes.push((await journal.projection(SESSION)).delivered.get('src/AGENTS.md')?.sha256 ?? null);
  }
  expect(supersedes[0]).toBe(supersedes[2]);
  expect(supersedes[0]).not.toBe(supersedes[1]);
});

test('an error, a refusal and a result without the field activate nothing', async () => {
  const { activation } = await opened();
  activation.observe({ isError: true, details: { fileAccess: { path: 'src/a.ts' } } });
  activation.observe({ isError: false });
  activation.observe({ isError: false, details: { fileAccess: { path: '' } } });
  expect(await activation.waiting()).toEqual([]);
});

test('a failed append is told, keeps the touches, and the next boundary delivers them', async () => {
  const { activation, journal } = await opened();
  await activation.touch('src/a.ts');
  journal.failAppends(1, 'before');
  const failed = await activation.deliver();
  expect(failed.kind).toBe('failed');
  expect(failed.diagnostics).toMatchObject([{ code: 'instruction_activation_failed' }]);
  expect(await activation.waiting()).toEqual(['src/a.ts']);
  expect((await activation.deliver()).kind).toBe('appended');
});

test('an append that failed after it took effect is not written a second time', async () => {
  const { activation, journal } = await opened();
  await activation.touch('src/a.ts');
  journal.failAppends(1, 'after');
  expect((await activation.deliver()).kind).toBe('failed');
  expect((await activation.deliver()).kind).toBe('nothing');
  expect((await journal.projection(SESSION)).depth).toBe(1);
});

test('the error of a resolver escapes, and the next boundary is not held up by it', async () => {
  const { activation, world } = await opened();
  const error = new Error('the transport broke');
  world.rejection = error;
  activation.observe(touched('src/a.ts'));
  await expect(activation.deliver()).rejects.toBe(error);
  world.rejection = undefined;
  expect(await activation.deliver()).toMatchObject({ kind: 'nothing', settles: [], diagnostics: [] });
});

test('an aborted delivery keeps its touches', async () => {
  const { activation } = await opened();
  activation.observe(touched('src/a.ts'));
  const reason = new Error('enough');
  await expect(activation.deliver({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(await activation.waiting()).toEqual(['src/a.ts']);
});

test('a journal that is broken for good latches: no further delivery until the session is opened again', async () => {
  const { activation, journal } = await opened();
  await activation.touch('src/a.ts');
  await journal.close();
  const failed = await activation.deliver();
  expect(failed).toMatchObject({ kind: 'failed', cause: expect.any(JournalError) });
  await expect(activation.deliver()).rejects.toMatchObject({ code: 'activation_persistence_latched' });
});

test('a touch that the journal holds after the last answer waits when the session is opened again', async () => {
  const { journal, world } = await opened();
  await record(journal, {
    kind: 'message',
    role: 'assistant',
    text: '',
    toolCalls: [{ id: 'c', name: 'read', input: {} }],
  });
  await record(journal, { kind: 'message', role: 'tool', toolCallId: 'c', text: 'x', ...touched('src/a.ts') });
  const restored = await openActivation({ resolver: world, journal, sessionId: SESSION });
  expect(await restored.waiting()).toEqual(['src/a.ts']);
  expect((await restored.deliver()).kind).toBe('appended');
});

test('a compacted summary that quotes a module is not the module', async () => {
  const { activation, journal } = await opened();
  activation.observe(touched('src/a.ts'));
  await activation.deliver();
  await record(journal, { kind: 'compaction', summary: '<instruction_module path="src/AGENTS.md">', keepFrom: null });
  activation.observe(touched('src/a.ts'));
  const again = await activation.deliver();
  expect(again).toMatchObject({ kind: 'appended', entry: { details: { instructions: [{ supersedes: null }] } } });
});

test('a module that is gone is withdrawn once, and a file that comes back is new', async () => {
  const { activation, world } = await opened();
  const deliverAfterTouch = async () => {
    activation.observe(touched('src/a.ts'));
    return activation.deliver();
  };
  await deliverAfterTouch();
  world.texts.delete('src/AGENTS.md');
  expect(await deliverAfterTouch()).toMatchObject({
    entry: { text: '<instruction_module path="src/AGENTS.md" removed="no longer applies"/>' },
  });
  expect((await deliverAfterTouch()).kind).toBe('nothing');
  world.set('src/AGENTS.md', 'rules of src');
  expect(await deliverAfterTouch()).toMatchObject({ entry: { details: { instructions: [{ supersedes: null }] } } });
});

test('a module that cannot be read stays in force', async () => {
  const { activation, world } = await opened();
  activation.observe(touched('src/a.ts'));
  await activation.deliver();
  world.silent.add('src/AGENTS.md');
  activation.observe(touched('src/a.ts'));
  expect((await activation.deliver()).kind).toBe('nothing');
});

test('a text of the startup set counts as seen', async () => {
  const { activation, journal, world } = await opened();
  const { modules } = await world.forPaths(['src/a.ts']);
  const startup = modules.map(({ relPath, sha256 }) => ({ relPath, sha256: sha256 as never }));
  await record(journal, { kind: 'startup', text: '', modules: startup });
  activation.observe(touched('src/a.ts'));
  expect((await activation.deliver()).kind).toBe('nothing');
});

test('a touch whose record failed is recorded at the next boundary', async () => {
  const { activation, journal } = await opened();
  journal.failAppends(1, 'before');
  await expect(activation.touch('src/a.ts')).rejects.toMatchObject({ code: 'journal_write_failed' });
  expect(await activation.waiting()).toEqual(['src/a.ts']);
  expect((await activation.deliver()).kind).toBe('appended');
});

test('a touch of another process is delivered by whichever comes to a boundary first', async () => {
  const store = createMemoryStore();
  const { activation, world } = await opened(createMemoryJournal({ store }));
  const journal = createMemoryJournal({ store });
  const other = await openActivation({ resolver: world, journal, sessionId: SESSION });
  await other.touch('src/a.ts');
  expect((await activation.deliver()).kind).toBe('appended');
  expect((await other.deliver()).kind).toBe('nothing');
});

test('a host that records its requests settles what called for nothing with them', async () => {
  const { world, journal } = await opened();
  const activation = await openActivation({ resolver: world, journal, sessionId: SESSION, settling: 'host' });
  await activation.touch('docs/a.md');
  expect(await activation.deliver()).toMatchObject({ kind: 'nothing', settles: ['docs/a.md'] });
  expect(await activation.waiting()).toEqual(['docs/a.md']);
  await record(journal, { kind: 'request', number: 1, digest: '0'.repeat(64) as Sha256, settles: ['docs/a.md'] });
  expect(await activation.waiting()).toEqual([]);
});

test('a claim that is given back is delivered again, whole, and one that is confirmed is not', async () => {
  const { activation } = await opened();
  const claim = async () => {
    const delivery = await activation.deliver({ asClaim: true });
    if (delivery.kind !== 'appended') throw new Error('a record was expected');
    return delivery.entry;
  };
  await activation.touch('src/a.ts');
  const first = await claim();
  expect((await activation.deliver()).kind).toBe('nothing');
  expect(await activation.giveBack(first.id)).toBe(true);
  expect(await activation.waiting()).toEqual(['src/a.ts']);
  const second = await claim();
  expect(second).toMatchObject({ text: (first as { text?: string }).text });
  expect(await activation.confirm(second.id)).toBe(true);
  expect(await activation.giveBack(second.id)).toBe(false);
  await activation.touch('src/b.ts');
  expect((await activation.deliver()).kind).toBe('nothing');
});

test('an entry that may be lost yet latches: every later delivery is refused until the session is opened again', async () => {
  const { activation, journal } = await opened();
  await activation.touch('src/a.ts');
  journal.failAppends(1, 'unsynced');
  expect(await activation.deliver()).toMatchObject({ kind: 'failed', cause: { code: 'journal_sync_failed' } });
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(activation.deliver()).rejects.toMatchObject({ code: 'activation_persistence_latched' });
  }
});
