import { renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHostSource, nodeDisk } from '@codicil/file-source-host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actingDisk } from './fixtures/acting-disk.ts';
import { projectPath, withProject } from './fixtures/temporary-project.ts';

const content = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(0, 1, 7, 8, 9, 16, 17))
  .map(([letter, size]) => letter.repeat(size));

test('S2 what is read is one content that the file had meanwhile, whole, or it is unavailable', async () => {
  const act = fc.record({ how: fc.constantFrom('write', 'rename'), text: content, gap: fc.nat(6) });
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.array(act, { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      async (first, acts, portion) => {
        await withProject([{ path: 'a.md', text: first }], async (root) => {
          const had = [first];
          const pending = [...acts];
          let quiet = pending[0]?.gap ?? 0;
          const disk = actingDisk((call) => {
            if (call !== 'read' && call !== 'fstat') return;
            quiet -= 1;
            const next = quiet < 0 ? pending.shift() : undefined;
            if (next === undefined) return;
            quiet = pending[0]?.gap ?? 0;
            had.push(next.text);
            if (next.how === 'write') overwrite(join(root, 'a.md'), next.text);
            else {
              writeFileSync(join(root, 'b.md'), next.text);
              renameSync(join(root, 'b.md'), join(root, 'a.md'));
            }
          }, portion);
          const source = await createHostSource(root, { disk, wait: async () => {} });
          const outcome = await source.read(projectPath('a.md'), { maxBytes: 16, links: 'inside' });
          if (outcome.kind === 'file') expect(had).toContain(Buffer.from(outcome.bytes).toString());
          else if (outcome.kind === 'refused') expect(had.some((text) => text.length > 16)).toBe(true);
          else expect(outcome).toMatchObject({ kind: 'unavailable', diagnostic: { code: 'file_unstable' } });
        });
      },
    ),
  );
});

/** In place, at one instant as far as a reader in this process can tell. */
function overwrite(path: string, text: string): void {
  writeFileSync(path, text, { flag: 'r+' });
  truncateSync(path, Buffer.byteLength(text));
}

test('S2 a writer that empties a file before it fills it is waited for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3 }), async (pauses) => {
      await withProject([{ path: 'a.md', text: 'old' }], async (root) => {
        const path = join(root, 'a.md');
        truncateSync(path);
        let waits = 0;
        const wait = async (): Promise<void> => {
          if (waits === pauses) writeFileSync(path, 'new and whole');
          waits += 1;
        };
        const source = await createHostSource(root, { wait });
        const outcome = await source.read(projectPath('a.md'), { maxBytes: 64, links: 'inside' });
        expect(outcome.kind === 'file' && Buffer.from(outcome.bytes).toString()).toBe('new and whole');
      });
    }),
    { numRuns: 8 },
  );
});

test('S2 a write that goes on within one tick of the clock is not taken for the whole', async () => {
  await withProject([{ path: 'a.md', text: 'old old old!' }], async (root) => {
    const path = join(root, 'a.md');
    let stamped: { mtimeMs: number; ctimeMs: number } | undefined;
    let reads = 0;
    const acting = actingDisk((call) => {
      if (call !== 'read') return;
      reads += 1;
      if (reads === 2) writeFileSync(path, 'new new new!', { flag: 'r+' });
    }, 6);
    // A coarse clock: the figures that the write began with stay as they are to its end.
    const disk = {
      ...acting,
      fstat(descriptor: number) {
        const stat = acting.fstat(descriptor);
        if (!stat.isFile()) return stat;
        stamped ??= { mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs };
        return Object.assign(stat, stamped);
      },
    };
    // However long this machine takes, the file stays as young as when it was written.
    const clock = (): number => stamped?.mtimeMs ?? Date.now();
    const source = await createHostSource(root, { disk, clock, wait: async () => {} });
    const outcome = await source.read(projectPath('a.md'), { maxBytes: 64, links: 'inside' });
    expect(outcome.kind === 'file' && Buffer.from(outcome.bytes).toString()).toBe('new new new!');
  });
});

test('S2 an old file that changes in the midst of a read is read again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }), async (portion, changes) => {
      await withProject([{ path: 'a.md', text: '000000000000' }], async (root) => {
        const had = ['000000000000'];
        const acting = actingDisk((call) => {
          if (call !== 'read' || had.length > changes) return;
          const text = String(had.length).repeat(12);
          had.push(text);
          overwrite(join(root, 'a.md'), text);
        }, portion);
        // Each change has a tick of its own, long ago: the figures alone tell.
        const disk = {
          ...acting,
          fstat: (descriptor: number) =>
            Object.assign(acting.fstat(descriptor), { mtimeMs: had.length, ctimeMs: had.length }),
        };
        const source = await createHostSource(root, { disk, wait: async () => {} });
        const outcome = await source.read(projectPath('a.md'), { maxBytes: 64, links: 'inside' });
        if (outcome.kind === 'file') expect(had).toContain(Buffer.from(outcome.bytes).toString());
        else expect(outcome).toMatchObject({ kind: 'unavailable', diagnostic: { code: 'file_unstable' } });
      });
    }),
  );
});

test('S2 a write that leaves no stamp, as through a memory map, is not taken for half of the whole', async () => {
  for (const stampsMaps of [true, false]) {
    for (const portion of [1, 5, 6, 12]) {
      for (let instant = 1; instant < 14; instant++) {
        await withProject([{ path: 'a.md', text: 'old old old!' }], async (root) => {
          const path = join(root, 'a.md');
          const { mtimeMs, ctimeMs } = statSync(path);
          let reads = 0;
          const acting = actingDisk((call) => {
            if (call !== 'read' && call !== 'readAt') return;
            reads += 1;
            if (reads === instant) writeFileSync(path, 'new new new!', { flag: 'r+' });
          }, portion);
          const fstat = (descriptor: number) => Object.assign(acting.fstat(descriptor), { mtimeMs, ctimeMs });
          const disk = { ...acting, fstat, stampsMaps: () => stampsMaps };
          // Not so young that it is read again in any case; where maps are never stamped, as old as can be.
          const clock = (): number => mtimeMs + (stampsMaps ? 20_000 : 1e9);
          const source = await createHostSource(root, { disk, clock, wait: async () => {} });
          const outcome = await source.read(projectPath('a.md'), { maxBytes: 64, links: 'inside' });
          const text = outcome.kind === 'file' ? Buffer.from(outcome.bytes).toString() : outcome.kind;
          expect([portion, instant, text]).toEqual([
            portion,
            instant,
            expect.stringMatching(/^(old old old!|new new new!)$/),
          ]);
        });
      }
    }
  }
});

test('S2 one write of a large file that is held up in its midst is waited for', async () => {
  const [old, half, whole] = ['a', 'b', 'b'].map((letter) => letter.repeat(100_000));
  await withProject([{ path: 'a.md', text: `${half?.slice(50_000)}${old?.slice(50_000)}` }], async (root) => {
    const path = join(root, 'a.md');
    const { mtimeMs, ctimeMs } = statSync(path);
    let waited = 0;
    const wait = async (milliseconds: number): Promise<void> => {
      waited += milliseconds;
      // The writer goes on, and what it writes has the stamp that the write began with.
      if (waited > 20) writeFileSync(path, whole ?? '', { flag: 'r+' });
    };
    const fstat = (descriptor: number) => Object.assign(nodeDisk.fstat(descriptor), { mtimeMs, ctimeMs });
    const clock = (): number => mtimeMs + 15 + waited;
    const source = await createHostSource(root, { disk: { ...nodeDisk, fstat }, clock, wait });
    const outcome = await source.read(projectPath('a.md'), { maxBytes: 1 << 20, links: 'inside' });
    expect(outcome.kind === 'file' && Buffer.from(outcome.bytes).toString() === whole).toBe(true);
  });
});
