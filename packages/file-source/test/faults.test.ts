import { createMemorySource } from '@codicil/file-source';
import { type ProjectPath, ROOT } from '@codicil/project-path';
import { expect, test } from 'vitest';

const A = 'a.md' as ProjectPath;
const READ = { maxBytes: 100, links: 'inside' } as const;
const TREE = [
  { path: 'a.md', text: 'one' },
  { path: 'b.md', text: 'two' },
];

test('a read fails as often as it was told to, and is unavailable meanwhile', async () => {
  const source = createMemorySource(TREE);
  source.faults.failReads(2, 'a.md');
  const kinds: string[] = [];
  for (let count = 0; count < 3; count++) kinds.push((await source.read(A, READ)).kind);
  expect(kinds).toEqual(['unavailable', 'unavailable', 'file']);
});

test('a failing read of one path leaves the others alone, and decides among candidates', async () => {
  const source = createMemorySource(TREE);
  source.faults.failReads(1, 'a.md');
  const first = await source.readFirst(ROOT, ['none.md', 'a.md', 'b.md'], READ);
  expect(first).toMatchObject({ name: 'a.md', outcome: { kind: 'unavailable' } });
});

test('a listing fails as often as it was told to', async () => {
  const source = createMemorySource(TREE);
  source.faults.failLists(1);
  expect((await source.list(ROOT, { maxEntries: 10 })).kind).toBe('unavailable');
  expect((await source.list(ROOT, { maxEntries: 10 })).kind).toBe('entries');
});

test('a vanished root makes everything unavailable and proves nothing until it reappears', async () => {
  const source = createMemorySource(TREE);
  const read = await source.read(A, READ);
  if (read.kind !== 'file') throw new Error('the file is there');
  const known = [{ path: A, stamp: read.stamp }];
  source.faults.vanish();
  expect((await source.read(A, READ)).kind).toBe('unavailable');
  expect((await source.list(ROOT, { maxEntries: 10 })).kind).toBe('unavailable');
  expect((await source.locate('a.md')).kind).toBe('unavailable');
  expect(await source.changed(known)).toEqual([0]);
  source.faults.reappear();
  expect((await source.read(A, READ)).kind).toBe('file');
  expect(await source.changed(known)).toEqual([]);
});

test('a held answer comes when it is released', async () => {
  const source = createMemorySource(TREE);
  const release = source.faults.hold();
  let answered = false;
  const read = source.read(A, READ).then((outcome) => {
    answered = true;
    return outcome;
  });
  await Promise.resolve();
  expect(answered).toBe(false);
  release();
  expect((await read).kind).toBe('file');
});

test('a signal ends the wait for a held answer with its reason', async () => {
  const source = createMemorySource(TREE);
  source.faults.hold();
  const controller = new AbortController();
  const reason = new Error('enough');
  const waiting = [
    source.read(A, { ...READ, signal: controller.signal }),
    source.list(ROOT, { maxEntries: 1, signal: controller.signal }),
    source.locate('a.md', { signal: controller.signal }),
    source.changed([], { signal: controller.signal }),
  ];
  controller.abort(reason);
  for (const answer of waiting) await expect(answer).rejects.toBe(reason);
});

test('operations are counted', async () => {
  const source = createMemorySource(TREE);
  const read = await source.read(A, READ);
  await source.readMany([A, A], READ);
  await source.list(ROOT, { maxEntries: 10 });
  await source.locate('a.md');
  if (read.kind === 'file') await source.changed([{ path: A, stamp: read.stamp }]);
  expect(source.counts).toEqual({ reads: 3, lists: 1, probes: 1, locates: 1 });
});

test('a coarse clock hides an edit until its tick has passed', async () => {
  const source = createMemorySource(TREE, { granularity: 1_000 });
  source.tree.write('a.md', 'new');
  const young = await source.read(A, READ);
  source.tree.touchClock(1_000);
  const old = await source.read(A, READ);
  if (young.kind !== 'file' || old.kind !== 'file') throw new Error('the file is there');
  const known = [young, old].map(({ stamp }) => ({ path: A, stamp }));
  expect(await source.changed(known)).toEqual([0]);
});

test('a stamp of another source proves nothing', async () => {
  const read = await createMemorySource(TREE).read(A, READ);
  if (read.kind !== 'file') throw new Error('the file is there');
  expect(await createMemorySource(TREE).changed([{ path: A, stamp: read.stamp }])).toEqual([0]);
});

test('a Windows world spells its root and reads reported paths as Windows does', async () => {
  const source = createMemorySource([{ path: 'src/A.ts', text: '' }], { platform: 'win32' });
  expect([source.root, source.ignoresCase]).toEqual(['C:\\proj', true]);
  expect(await source.locate('c:\\PROJ\\SRC\\a.ts')).toEqual({
    kind: 'inside',
    named: 'SRC/a.ts',
    real: 'src/A.ts',
    firstLink: undefined,
  });
  expect(await source.locate('D:\\proj\\src\\A.ts')).toEqual({ kind: 'outside' });
  expect(await source.locate('..\\other\\x')).toEqual({ kind: 'outside' });
});

test('where case is ignored a name finds the file under its stored spelling', async () => {
  const source = createMemorySource([{ path: 'AGENTS.md', text: 'x' }], { ignoresCase: true });
  expect(await source.read('agents.MD' as ProjectPath, READ)).toMatchObject({ kind: 'file', realPath: 'AGENTS.md' });
  source.tree.rename('AGENTS.md', 'Agents.md');
  expect(await source.read('agents.MD' as ProjectPath, READ)).toMatchObject({ kind: 'file', realPath: 'Agents.md' });
});

test('a tree whose hard link has no file is an error', () => {
  expect(() => createMemorySource([{ path: 'a.md', hardLink: 'none.md' }])).toThrow(TypeError);
  expect(() => createMemorySource(TREE, { openedThrough: 'a.md' })).toThrow(TypeError);
});
