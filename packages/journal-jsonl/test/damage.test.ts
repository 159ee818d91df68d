import { openJsonlJournal } from '@codicil/journal-jsonl';
import { type Draft, type Journal, sessionId } from '@codicil/journal-records';
import { expect, test } from 'vitest';
import { frame } from '../src/format.ts';
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
  disk.replace(PATH, change(disk.bytesOf(PATH)));
}

test('a changed byte in an acknowledged entry is told, with the file and the place, and nothing is skipped', async () => {
  const { disk } = await filled();
  edit(disk, (bytes) => Buffer.from(bytes.toString().replace('two', '2wo')));
  const journal = await openJsonlJournal('/j', { disk });
  await expect(journal.projection(main)).rejects.toMatchObject({
    code: 'journal_corrupt',
    message: expect.stringMatching(/s-main\.jsonl is damaged at byte \d+/),
  });
  expect((await journal.verify()).problems).toMatchObject([{ sessionId: main, kind: 'corrupt' }]);
});

test('lines that changed places are told where they are read, and what is sound of them is salvaged', async () => {
  const { disk } = await filled();
  edit(disk, (bytes) => {
    const lines = bytes.toString().split('\n');
    lines.push(...lines.splice(4, 1));
    return Buffer.from(lines.join('\n'));
  });
  const journal = await openJsonlJournal('/j', { disk });
  await expect(journal.projection(main)).rejects.toMatchObject({
    code: 'journal_corrupt',
    message: expect.stringContaining('is missing'),
  });
  expect(await journal.salvage(main, sessionId('mended'))).toMatchObject({ kept: 1 });
});

test('a torn tail is mended and told once', async () => {
  const { disk } = await filled();
  edit(disk, (bytes) => Buffer.concat([bytes, Buffer.from('\n{"length":90,"sum":"00')]));
  const journal = await openJsonlJournal('/j', { disk });
  expect((await journal.verify()).problems).toMatchObject([{ sessionId: main, kind: 'torn-tail' }]);
  expect((await journal.verify()).problems).toEqual([]);
  expect((await journal.projection(main)).depth).toBe(2);
});

test.each([
  [1, 'which an earlier pre-release made'],
  [3, 'this package reads 2'],
])('a file of version %i is refused by name', async (version, why) => {
  const { disk } = await filled();
  const json = `{"format":"codicil-journal","version":${version},"session":"main","forkedFrom":null}`;
  edit(disk, () => Buffer.from(frame(json, '')));
  const journal = await openJsonlJournal('/j', { disk });
  await expect(journal.projection(main)).rejects.toMatchObject({
    code: 'journal_unknown_format',
    message: expect.stringContaining(why),
  });
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
  const [blank, header, mark, ...lines] = disk.bytesOf(PATH).toString().split('\n');
  expect(blank).toBe('');
  expect(JSON.parse(mark ?? '')).toMatchObject({ acknowledged: disk.bytesOf(PATH).length });
  expect(lines).toHaveLength(3);
  for (const line of [header ?? '', ...lines]) expect(JSON.parse(line)).toHaveProperty('record');
});
