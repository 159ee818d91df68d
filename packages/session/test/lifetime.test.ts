import { sessionId } from '@codicil/journal-records';
import { openSession } from '@codicil/session';
import { expect, test } from 'vitest';
import { instructionsIn, RULE, Stage } from './stage.ts';

const PROJECT = { 'AGENTS.md': 'root\n', '.elowen/rules/src.md': RULE, 'src/a.ts': '', 'src/b.ts': '' };
const WHOLE = '<instruction_module path=".elowen/rules/src.md">\nrules of src\n\n</instruction_module>';

test('after a compaction that dropped the record the module is delivered again, whole, as if for the first time', async () => {
  const stage = await Stage.open(PROJECT);
  expect(instructionsIn(await stage.touchAndSend('src/a.ts'))).toEqual([WHOLE]);
  await stage.session.compact({ summary: `the rules said: ${WHOLE}`, keepRequests: 0 });
  const again = await stage.touchAndSend('src/a.ts');
  expect(instructionsIn(again)).toEqual([WHOLE]);
  expect((await stage.records()).map(({ details }) => details.instructions[0]?.supersedes)).toEqual([null, null]);
});

test('a compaction that keeps the record keeps the module: nothing is sent again', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  await stage.session.compact({ summary: 'so far', keepRequests: 1 });
  const next = await stage.touchAndSend('src/b.ts');
  expect(next.delivery.kind).toBe('nothing');
  expect(instructionsIn(next)).toEqual([WHOLE]);
});

test('a resume after a compaction decides nothing by itself', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  await stage.session.compact({ summary: 'so far', keepRequests: 0 });
  await stage.restart();
  expect(instructionsIn(await stage.touchAndSend('src/a.ts'))).toEqual([WHOLE]);
});

test('resumes add nothing: one record in all', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  for (let resume = 0; resume < 3; resume++) await (await stage.restart()).session.request();
  expect(await stage.records()).toHaveLength(1);
});

test('a resumed session leads its requests with the stored startup text, whatever the disk says now', async () => {
  const stage = await Stage.open(PROJECT);
  const first = await stage.session.request();
  stage.source.tree.write('AGENTS.md', 'changed\n');
  await stage.restart();
  await stage.session.start();
  expect((await stage.session.request()).request.system).toBe(first.request.system);
  expect(first.request.system).toContain('root\n');
});

test('starting twice is starting once, from two processes as well', async () => {
  const stage = await Stage.open(PROJECT);
  expect(await stage.session.start()).toMatchObject({ started: false });
  const other = await openSession({ journal: stage.journal, resolver: stage.resolver, sessionId: sessionId('fresh') });
  const twin = await openSession({ journal: stage.journal, resolver: stage.resolver, sessionId: sessionId('fresh') });
  const started = await Promise.all([other.start(), twin.start()]);
  expect(started.filter((outcome) => outcome.started)).toHaveLength(1);
});

test('parallel reads of one step are one record with one module, from two processes as well', async () => {
  const stage = await Stage.open(PROJECT);
  const ids = await stage.call('src/a.ts', 'src/b.ts');
  const twin = await openSession({ journal: stage.journal, resolver: stage.resolver, sessionId: stage.session.id });
  await stage.result(ids[0] ?? '', 'src/a.ts');
  await twin.toolResult({
    toolCallId: ids[1] ?? '',
    text: '',
    isError: false,
    details: { fileAccess: { path: 'src/b.ts' } },
  });
  await Promise.all([stage.session.request(), twin.request()]);
  const records = await stage.records();
  expect(records.map(({ details }) => details.instructions.map(({ relPath }) => relPath))).toEqual([
    ['.elowen/rules/src.md'],
  ]);
});

test('twenty touches of one path are one record', async () => {
  const stage = await Stage.open(PROJECT);
  for (let round = 0; round < 20; round++) await stage.touchAndSend('src/a.ts');
  expect(await stage.records()).toHaveLength(1);
});

test('an edited module is sent whole, marked as superseding the earlier version', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  stage.source.tree.write('.elowen/rules/src.md', RULE.replace('rules of', 'new rules of'));
  const next = await stage.touchAndSend('src/a.ts');
  expect(instructionsIn(next).at(-1)).toBe(
    '<instruction_module path=".elowen/rules/src.md" supersedes="earlier version">\nnew rules of src\n\n</instruction_module>',
  );
});

test('going back to the first text is a third version', async () => {
  const stage = await Stage.open(PROJECT);
  for (const text of [RULE, RULE.replace('rules of', 'new rules of'), RULE]) {
    stage.source.tree.write('.elowen/rules/src.md', text);
    await stage.touchAndSend('src/a.ts');
  }
  expect((await stage.records()).map(({ details }) => details.instructions[0]?.supersedes === null)).toEqual([
    true,
    false,
    false,
  ]);
});

test('an earlier request is a byte prefix of the next, also after an edit of the root file', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.session.prompt('go');
  const requests = [await stage.session.request()];
  stage.source.tree.write('AGENTS.md', 'changed\n');
  for (const path of ['src/a.ts', 'src/b.ts', 'AGENTS.md']) requests.push(await stage.touchAndSend(path));
  for (const [index, { request }] of requests.entries()) {
    const next = requests[index + 1]?.request;
    if (next === undefined) continue;
    expect(next.system).toBe(request.system);
    expect(JSON.stringify(next.messages).startsWith(JSON.stringify(request.messages).slice(0, -1))).toBe(true);
  }
});

test('an edit of the same size within one tick of the clock is found', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  stage.source.tree.write('.elowen/rules/src.md', RULE.replace('rules', 'RULES'));
  expect(instructionsIn(await stage.touchAndSend('src/a.ts')).at(-1)).toContain('RULES of src');
});

test('a source that cannot answer is never an empty file, half a file or a removal', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  stage.source.tree.chmod('.elowen/rules/src.md', 0);
  const next = await stage.touchAndSend('src/a.ts');
  expect(next.delivery).toMatchObject({ kind: 'nothing', diagnostics: [{ code: 'file_unreadable' }] });
  expect(instructionsIn(next)).toEqual([WHOLE]);
});

test('a deleted module is withdrawn once its absence is proved', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  stage.source.tree.remove('.elowen/rules/src.md');
  expect(instructionsIn(await stage.touchAndSend('src/a.ts')).at(-1)).toBe(
    '<instruction_module path=".elowen/rules/src.md" removed="no longer applies"/>',
  );
  expect((await stage.touchAndSend('src/a.ts')).delivery.kind).toBe('nothing');
});

test('a child session has the same scope, a presence of its own, and after its compactions only its own touches', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  await stage.restart('child');
  await stage.session.start();
  const first = await stage.session.request();
  expect(first.request.system).toContain('root\n');
  expect(instructionsIn(first)).toEqual([]);
  expect(instructionsIn(await stage.touchAndSend('src/a.ts'))).toEqual([WHOLE]);
  for (let round = 0; round < 3; round++) {
    await stage.session.compact({ summary: 'so far', keepRequests: 0 });
    expect(instructionsIn(await stage.session.request())).toEqual([]);
  }
});

test('with open parallel calls no record is written and no request is composed', async () => {
  const stage = await Stage.open(PROJECT);
  const ids = await stage.call('src/a.ts', 'src/b.ts');
  await stage.result(ids[0] ?? '', 'src/a.ts');
  await expect(stage.session.request()).rejects.toMatchObject({ code: 'session_open_tool_calls' });
  expect(await stage.records()).toHaveLength(0);
  await stage.result(ids[1] ?? '', 'src/b.ts');
  expect(instructionsIn(await stage.session.request())).toEqual([WHOLE]);
});

test('presence is kept for modules, not for touched paths', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  expect((await stage.touchAndSend('src/b.ts')).delivery.kind).toBe('nothing');
});

test('a command that names a path without reporting a file access delivers nothing', async () => {
  const stage = await Stage.open(PROJECT);
  const [id = ''] = await stage.call('src/a.ts');
  await stage.session.toolResult({ toolCallId: id, text: 'echo x > src/a.ts', isError: false, details: undefined });
  expect(instructionsIn(await stage.session.request())).toEqual([]);
});

test('a touch just before the process stops is delivered by the next one', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touch('src/a.ts');
  await stage.restart();
  expect(instructionsIn(await stage.session.request())).toEqual([WHOLE]);
});

test('a resume sees everything that was acknowledged', async () => {
  const stage = await Stage.open(PROJECT);
  await stage.touchAndSend('src/a.ts');
  const before = await stage.branch();
  await stage.restart();
  expect(await stage.branch()).toEqual(before);
});

test('a touch through a link inside the project counts by both names', async () => {
  const stage = await Stage.open({
    ...PROJECT,
    'src/AGENTS.md': 'nested\n',
    '.elowen/rules/link.md': RULE.replace('src/**', 'link/**'),
  });
  stage.source.tree.symlink('link', 'src');
  await stage.touchAndSend('link/a.ts');
  const [record] = await stage.records();
  expect(record?.details.instructions.map(({ relPath }) => relPath)).toEqual([
    'src/AGENTS.md',
    '.elowen/rules/link.md',
    '.elowen/rules/src.md',
  ]);
});

test('an override that appears is sent, and the file that it shadows is withdrawn in the same record', async () => {
  const stage = await Stage.open({ 'src/AGENTS.md': 'old\n', 'src/a.ts': '' });
  await stage.touchAndSend('src/a.ts');
  stage.source.tree.write('src/AGENTS.override.md', 'new\n');
  await stage.touchAndSend('src/a.ts');
  const records = await stage.records();
  expect(records).toHaveLength(2);
  expect(records[1]?.details).toMatchObject({
    instructions: [{ relPath: 'src/AGENTS.override.md', supersedes: null }],
    removed: [{ relPath: 'src/AGENTS.md', successor: 'src/AGENTS.override.md' }],
  });
});

test('two names of one file are two modules', async () => {
  const stage = await Stage.open({ '.elowen/rules/a.md': RULE, '.elowen/rules/b.md': RULE, 'src/a.ts': '' });
  await stage.touchAndSend('src/a.ts');
  const [record] = await stage.records();
  expect(record?.details.instructions.map(({ relPath }) => relPath)).toEqual([
    '.elowen/rules/a.md',
    '.elowen/rules/b.md',
  ]);
});

test('a file of 144 KB is delivered whole', async () => {
  const text = 'A line of rules.\n'.repeat(8_500);
  const stage = await Stage.open({ 'src/AGENTS.md': text, 'src/a.ts': '' });
  const [delivered = ''] = instructionsIn(await stage.touchAndSend('src/a.ts'));
  expect(delivered).toBe(`<instruction_module path="src/AGENTS.md">\n${text}\n</instruction_module>`);
});
