import { openJsonlJournal } from '@codicil/journal-jsonl';
import { type Draft, type Journal, sessionId } from '@codicil/journal-records';
import { expect, test } from 'vitest';
import { FrailDisk } from './frail-disk.ts';

const main = sessionId('main');
const PATH = '/j/s-main.jsonl';
const said = (text: string): Draft => ({ kind: 'message', role: 'user', text });

async function filled(): Promise<{ readonly disk: FrailDisk; readonly journal: Journal }> {
  const disk = new FrailDisk();
  const journal = await openJsonlJournal('/j', { disk });
  for (const text of ['one', 'two', 'three']) await journal.append(main, said(text), { expectedLeaf: 'any' });
  return { disk, journal };
}

function edit(disk: FrailDisk, change: (bytes: Buffer) => Buffer): void {
  const file = disk.files.get(PATH);
  if (file === undefined) throw new Error('there is no file');
  file.bytes = change(file.bytes);
}

test('a changed byte in an acknowledged entry is told, with the file and the place, and nothing is skipped', async () => {
  const { disk } = await filled();
  edit(disk, (bytes) => Buffer.from(bytes.toString().replace('"two"', '"2wo"')));
  const journal = await openJsonlJournal('/j', { disk });
  await expect(journal.projection(main)).rejects.toMatchObject({
    code: 'journal_corrupt',
    message: expect.stringMatching(/s-main\.jsonl is damaged at byte \d+/),
  });
  expect((await journal.verify()).problems).toMatchObject([{ sessionId: main, kind: 'corrupt' }]);
});

test('a missing line is told', async () => {
  const { disk } = await filled();
  edit(disk, (bytes) => {
    const lines = bytes.toString().split('\n');
    lines.splice(3, 1);
    return Buffer.from(lines.join('\n'));
  });
  const journal = await openJsonlJournal('/j', { disk });
  expect((await journal.verify()).problems).toMatchObject([
    { kind: 'corrupt', message: expect.stringContaining('is missing') },
  ]);
});

test('a torn tail is mended and told once', async () => {
  const { disk } = await filled();
  edit(disk, (bytes) => Buffer.concat([bytes, Buffer.from('\n{"length":90,"sum":"00')]));
  const journal = await openJsonlJournal('/j', { disk });
  expect((await journal.verify()).problems).toMatchObject([{ sessionId: main, kind: 'torn-tail' }]);
  expect((await journal.verify()).problems).toEqual([]);
  expect((await journal.projection(main)).depth).toBe(2);
});

test('a file of a later version is refused by name', async () => {
  const { disk } = await filled();
  const json = '{"format":"codicil-journal","version":2,"session":"main","forkedFrom":null}';
  const { frame } = await import('../src/format.ts');
  edit(disk, () => Buffer.from(frame(json)));
  const journal = await openJsonlJournal('/j', { disk });
  await expect(journal.projection(main)).rejects.toMatchObject({ code: 'journal_unknown_format' });
});

test('a file that is no journal is refused', async () => {
  const { disk } = await filled();
  edit(disk, () => Buffer.from('# notes\n'));
  const journal = await openJsonlJournal('/j', { disk });
  await expect(journal.append(main, said('x'), { expectedLeaf: 'any' })).rejects.toMatchObject({
    code: 'journal_unknown_format',
  });
});

test('sessions whose names differ in letter case are two files', async () => {
  const disk = new FrailDisk();
  const journal = await openJsonlJournal('/j', { disk });
  for (const id of ['Main', 'main', 'MAIN']) await journal.append(sessionId(id), said(id), { expectedLeaf: null });
  expect(new Set([...disk.files.keys()].map((path) => path.toLowerCase())).size).toBe(3);
  expect((await journal.sessions()).map(({ id }) => id)).toEqual(['MAIN', 'Main', 'main']);
});

test('every line is JSON', async () => {
  const { disk } = await filled();
  const lines = (disk.files.get(PATH)?.bytes.toString() ?? '').split('\n').filter((line) => line !== '');
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('record');
});
