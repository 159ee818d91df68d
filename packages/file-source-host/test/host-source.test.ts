import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHostSource, nodeDisk } from '@codicil/file-source-host';
import { expect, test } from 'vitest';
import { projectPath, withProject } from './fixtures/temporary-project.ts';

const READ = { maxBytes: 64, links: 'inside' } as const;

test('a root that is not there or is no folder is an error with a code', async () => {
  await withProject([{ path: 'a.md', text: 'a' }], async (root) => {
    await expect(createHostSource(join(root, 'none'))).rejects.toMatchObject({ code: 'root_not_found' });
    await expect(createHostSource(join(root, 'a.md', 'x'))).rejects.toMatchObject({ code: 'root_not_found' });
    await expect(createHostSource(join(root, 'a.md'))).rejects.toMatchObject({ code: 'root_not_a_directory' });
  });
});

test('another folder in the place of the root makes every answer unavailable', async () => {
  await withProject(
    [
      { path: 'a.md', text: 'a' },
      { path: '../other/a.md', text: 'other' },
    ],
    async (root) => {
      const source = await createHostSource(root);
      renameSync(root, `${root}-old`);
      renameSync(join(root, '..', 'other'), root);
      const path = projectPath('a.md');
      expect((await source.read(path, READ)).kind).toBe('unavailable');
      expect((await source.readFirst(projectPath(''), ['none.md'], READ)).outcome.kind).toBe('unavailable');
      expect((await source.list(projectPath(''), { maxEntries: 9 })).kind).toBe('unavailable');
      expect((await source.locate('a.md')).kind).toBe('unavailable');
    },
  );
});

test.each(['EACCES', 'EIO', 'EMFILE', 'ENFILE', 'EPERM'])(
  'a file whose opening fails with %s is unavailable',
  async (code) => {
    await withProject([{ path: 'd/a.md', text: 'a' }], async (root) => {
      const disk = {
        ...nodeDisk,
        open(path: string, flags: number) {
          if (path.endsWith('a.md')) throw Object.assign(new Error(code), { code });
          return nodeDisk.open(path, flags);
        },
      };
      const source = await createHostSource(root, { disk });
      const outcome = await source.read(projectPath('d/a.md'), READ);
      expect(outcome).toMatchObject({
        kind: 'unavailable',
        diagnostic: { code: 'file_unreadable', facts: { cause: code } },
      });
    });
  },
);

/** A path with one byte in it that no UTF-8 has. */
function falsePath(root: string, byte: number): Buffer {
  return Buffer.concat([Buffer.from(join(root, 'd/')), Buffer.of(byte), Buffer.from('.md')]);
}

test('S1 names that are not UTF-8 are listed once each, told by their bytes, and never equal to another', async () => {
  for (const descriptors of [true, false]) {
    await withProject([{ path: 'd/\ufffd.md', text: 'a replacement character of its own' }], async (root) => {
      for (const byte of [0xff, 0xfe, 0x80]) writeFileSync(falsePath(root, byte), 'x');
      const source = await createHostSource(root, { descriptors });
      const outcome = await source.list(projectPath('d'), { maxEntries: 9 });
      const entries = outcome.kind === 'entries' ? outcome.entries : [];
      const said = entries.map(({ kind, refusal }) => `${kind} ${refusal?.code} ${refusal?.facts?.['bytes']}`);
      expect(said.sort()).toEqual([
        'file undefined undefined',
        'other file_unreadable 802e6d64',
        'other file_unreadable fe2e6d64',
        'other file_unreadable ff2e6d64',
      ]);
      expect(new Set(entries.map(({ name }) => name)).size).toBe(4);
      // What was listed cannot be asked for, and is not taken for the look-alike.
      for (const { name, kind } of entries) {
        const read = await source.read(projectPath(`d/${name}`), READ);
        expect(read.kind).toBe(kind === 'file' ? 'file' : 'unavailable');
      }
    });
  }
});

test('S1 a link to a name that is not UTF-8 is refused, whatever lies under the name that looks like it', async () => {
  for (const descriptors of [true, false]) {
    for (const lookAlike of [[], [{ path: 'd/\ufffd.md', text: 'look-alike' }]]) {
      const below = { path: 'd/b.md', text: 'the next candidate' };
      await withProject([...lookAlike, below], async (root) => {
        writeFileSync(falsePath(root, 0xff), 'meant');
        mkdirSync(Buffer.concat([Buffer.from(join(root, 'd/')), Buffer.of(0xff)]));
        symlinkSync(Buffer.concat([Buffer.of(0xff), Buffer.from('.md')]), join(root, 'd', 'a.md'));
        symlinkSync(falsePath(root, 0xff), join(root, 'd', 'absolute.md'));
        symlinkSync(Buffer.of(0xff), join(root, 'd', 'folder'));
        symlinkSync('a.md', join(root, 'd', 'chain.md'));
        const source = await createHostSource(root, { descriptors });
        for (const name of ['a.md', 'absolute.md', 'folder/a.md', 'chain.md']) {
          const path = `d/${name}`;
          const outcome = await source.read(projectPath(path), { ...READ, links: 'anywhere' });
          expect([path, outcome]).toMatchObject([path, { kind: 'refused', diagnostic: { code: 'symlink_refused' } }]);
        }
        const first = await source.readFirst(projectPath('d'), ['a.md', 'b.md'], READ);
        expect(first).toMatchObject({ name: 'a.md', outcome: { kind: 'refused' } });
      });
    }
  }
});

test('an abort between two slices ends a long call with its reason', async () => {
  const tree = Array.from({ length: 3_000 }, (_, index) => ({ path: `d/${index}.md`, text: 'x' }));
  await withProject(tree, async (root) => {
    const source = await createHostSource(root);
    const stop = new AbortController();
    const paths = tree.map(({ path }) => projectPath(path));
    const reading = source.readMany(paths, { ...READ, signal: stop.signal });
    setImmediate(() => stop.abort(new Error('enough')));
    await expect(reading).rejects.toThrow('enough');
  });
});

test('a root under another spelling of its letters is known to ignore case', async () => {
  await withProject([{ path: 'a.md', text: 'a' }], async (root) => {
    const folded = (path: string): string => (path.endsWith('PROJECT') ? root : path);
    const disk = { ...nodeDisk, lstat: (path: string) => nodeDisk.lstat(folded(path)) };
    expect((await createHostSource(root, { disk })).ignoresCase).toBe(true);
    expect((await createHostSource(root)).ignoresCase).toBe(false);
  });
});

test('S3 a file below a link to a folder that is as deep has its real place', async () => {
  await withProject(
    [
      { path: 'real/e/a.md', text: 'a' },
      { path: 'd', symlink: 'real' },
    ],
    async (root) => {
      const source = await createHostSource(root, { descriptors: true });
      expect(await source.read(projectPath('d/e/a.md'), READ)).toMatchObject({ kind: 'file', realPath: 'real/e/a.md' });
      expect((await source.list(projectPath('d/e'), { maxEntries: 9 })).kind).toBe('refused');
    },
  );
});
