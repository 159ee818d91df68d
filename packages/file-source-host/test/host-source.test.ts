import { renameSync, writeFileSync } from 'node:fs';
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

test('a name that is not UTF-8 is listed as what no path can spell', async () => {
  await withProject([{ path: 'd/\ufffd.md', text: 'a replacement character of its own' }], async (root) => {
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'd/')), Buffer.of(0xff), Buffer.from('.txt')]), 'x');
    const source = await createHostSource(root);
    const outcome = await source.list(projectPath('d'), { maxEntries: 9 });
    const entries = outcome.kind === 'entries' ? outcome.entries : [];
    const said = entries.map(({ name, kind, refusal }) => [name, kind, refusal?.code]).sort();
    expect(said).toEqual([
      ['\ufffd.md', 'file', undefined],
      ['\ufffd.txt', 'other', 'file_unreadable'],
    ]);
  });
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
