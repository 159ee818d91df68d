import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdit } from '@codicil/arbitraries/lay-tree';
import type { FileSource, ListOutcome, ReadOutcome, TreeSpec } from '@codicil/file-source';
import { createHostSource } from '@codicil/file-source-host';
import { expect, test } from 'vitest';
import { actingDisk } from './fixtures/acting-disk.ts';
import { projectPath, withProject } from './fixtures/temporary-project.ts';

const READ = { maxBytes: 64, links: 'inside' } as const;
const LIST = { maxEntries: 9 } as const;

/** What the root has, the other folder lacks or has otherwise. */
const TREE: TreeSpec = [
  { path: 'a.md', text: 'INSIDE' },
  { path: 'd/a.md', text: 'INSIDE' },
  { path: 'd/b.md', text: 'INSIDE' },
  { path: 'link.md', symlink: 'd/b.md' },
  { path: 'file.md', text: 'INSIDE' },
  { path: '../other/a.md', text: 'OUTSIDE' },
  { path: '../other/d/b.md', text: 'OUTSIDE' },
  { path: '../other/d/c.md', text: 'OUTSIDE' },
  { path: '../other/link.md', symlink: 'none.md' },
  { path: '../other/file.md', symlink: '../other/secret.md' },
  { path: '../other/secret.md', text: 'OUTSIDE' },
];

/** What was said that is not so of the root, at any instant. */
const ofRead = (outcome: ReadOutcome): string | undefined => {
  if (outcome.kind === 'unavailable') return undefined;
  return outcome.kind === 'file' && Buffer.from(outcome.bytes).toString() === 'INSIDE' ? undefined : outcome.kind;
};

const ofList = (outcome: ListOutcome): string | undefined => {
  if (outcome.kind === 'unavailable') return undefined;
  if (outcome.kind !== 'entries') return outcome.kind;
  const names = outcome.entries.map(({ name }) => name).sort();
  return names.join() === 'a.md,b.md' ? undefined : names.join();
};

const questions: Readonly<Record<string, (source: FileSource) => Promise<string | undefined>>> = {
  'a file is read': async (source) => ofRead(await source.read(projectPath('d/a.md'), READ)),
  'a link is read': async (source) => ofRead(await source.read(projectPath('link.md'), READ)),
  'a file is read whose name is a link elsewhere': async (source) =>
    ofRead(await source.read(projectPath('file.md'), READ)),
  'files are read': async (source) => {
    const outcomes = await source.readMany(['a.md', 'd/a.md', 'd/b.md'].map(projectPath), READ);
    return outcomes.map(ofRead).find((wrong) => wrong !== undefined);
  },
  'the first of several names is read': async (source) => {
    const { name, outcome } = await source.readFirst(projectPath('d'), ['a.md', 'b.md', 'c.md'], READ);
    return ofRead(outcome) ?? (name === 'a.md' || outcome.kind === 'unavailable' ? undefined : name);
  },
  'a folder is listed': async (source) => ofList(await source.list(projectPath('d'), LIST)),
};

/** Two renames: for an instant nothing stands in the root's place. */
function exchange(root: string): void {
  const other = join(root, '..', 'other');
  renameSync(root, join(root, '..', 'between'));
  renameSync(other, root);
  renameSync(join(root, '..', 'between'), other);
}

interface Turn {
  readonly out: (root: string) => void;
  readonly back: (root: string) => void;
  /** Whether what was said is so at no instant of the root. */
  isFalse(said: string): boolean;
}

const turns: Readonly<Record<string, Turn>> = {
  'the root exchanged': { out: exchange, back: exchange, isFalse: () => true },
  'a folder turned into a link outwards': {
    out(root) {
      applyEdit(root, { kind: 'rename', path: 'd', to: 'away' });
      applyEdit(root, { kind: 'symlink', path: 'd', target: '../other/d' });
    },
    back(root) {
      applyEdit(root, { kind: 'remove', path: 'd' });
      applyEdit(root, { kind: 'rename', path: 'away', to: 'd' });
    },
    // For a while it is true that the way leads out; bytes and names from there are never.
    isFalse: (said) => said === 'file' || said.includes(','),
  },
};

/** One question, with the turn just before a call, and back before a later one. How many calls were made, and what was wrong. */
async function ask(root: string, question: string, turn: Turn, descriptors: boolean, there: number, back: number) {
  let calls = -1;
  let isOut = false;
  const flip = (): void => {
    if (isOut) turn.back(root);
    else turn.out(root);
    isOut = !isOut;
  };
  const disk = actingDisk(() => {
    if (calls < 0) return;
    if (calls === there || calls === back) flip();
    calls += 1;
  });
  // Old enough to be believed at first sight: nothing is asked twice.
  const clock = (): number => Date.now() + 60_000;
  const source = await createHostSource(root, { disk, descriptors, clock, wait: async () => {} });
  calls = 0;
  const wrong = await questions[question]?.(source);
  if (isOut) flip();
  return { calls, wrong };
}

for (const [what, turn] of Object.entries(turns)) {
  for (const question of Object.keys(questions)) {
    for (const descriptors of [true, false]) {
      test(`S1 ${what}, and back, while ${question}, folders ${descriptors ? 'held' : 'asked for'}, is never believed`, async () => {
        let tries = 0;
        await withProject(TREE, async (root) => {
          for (let there = 0, reached = true; reached; there++) {
            reached = false;
            // The last of each row is not turned back.
            for (let back = there + 1, after = true; after; back += 1 + (back - there > 4 ? 5 : 0)) {
              const { calls, wrong } = await ask(root, question, turn, descriptors, there, back);
              tries += 1;
              if (wrong !== undefined && turn.isFalse(wrong)) expect([there, back, wrong]).toEqual([]);
              reached ||= calls > there;
              after = calls > back;
            }
          }
        });
        expect(tries).toBeGreaterThan(6);
      });
    }
  }
}

test('S1 another root is neither unchanged nor absent to an earlier stamp, whenever it came', async () => {
  for (const descriptors of [true, false]) {
    for (let there = 0, reached = true; reached; there++) {
      await withProject(TREE, async (root) => {
        let calls = -1;
        const disk = actingDisk(() => {
          if (calls === there) exchange(root);
          if (calls >= 0) calls += 1;
        });
        const clock = (): number => Date.now() + 60_000;
        const source = await createHostSource(root, { disk, descriptors, clock, wait: async () => {} });
        const path = projectPath('d/a.md');
        const read = await source.read(path, READ);
        if (read.kind !== 'file') throw new Error('nothing moved yet');
        calls = 0;
        const changed = await source.changed([{ path, stamp: read.stamp }]);
        reached = calls > there;
        if (reached) expect([there, changed]).toEqual([there, [0]]);
      });
    }
  }
});

test('S1 a folder that is moved deeper than a path may be long is an outcome, at any instant', async () => {
  const long = Array.from({ length: 9 }, () => 'n'.repeat(250)).join('/');
  for (const descriptors of [true, false]) {
    for (const question of ['files are read', 'a folder is listed']) {
      for (let there = 0, reached = true; reached; there++) {
        reached = false;
        await withProject(
          [...TREE, { path: `${long}/x`, folder: true }, { path: `p/${long}/d`, folder: true }],
          async (root) => {
            let calls = -1;
            let isDeep = false;
            const disk = actingDisk(() => {
              if (calls === there) {
                isDeep = true;
                renameSync(join(root, 'd'), join(root, 'p', long, 'd'));
                renameSync(join(root, 'p'), join(root, long, 'x'));
              }
              if (calls >= 0) calls += 1;
            });
            try {
              const source = await createHostSource(root, { disk, descriptors, wait: async () => {} });
              calls = 0;
              const wrong = await questions[question]?.(source);
              reached = calls > there;
              // Gone from its place for good, so an absence is true.
              expect([undefined, 'absent', 'b.md']).toContain(wrong);
            } finally {
              if (isDeep) renameSync(join(root, long, 'x'), join(root, 'p'));
            }
          },
        );
      }
    }
  }
});

test('S1 whatever a system call answers is an outcome, and no failure is an absence', async () => {
  for (const code of ['EIO', 'EACCES', 'EMFILE', 'ENAMETOOLONG', 'ESTALE', 'ELOOP', 'ENOTDIR', 'EINTR']) {
    const tellsOfNames = code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'ELOOP';
    for (const descriptors of [true, false]) {
      for (const question of Object.keys(questions)) {
        await withProject(TREE, async (root) => {
          let left = Number.NaN;
          const disk = actingDisk(() => {
            left -= 1;
            if (left === 0) throw Object.assign(new Error(code), { code });
          });
          const source = await createHostSource(root, { disk, descriptors, wait: async () => {} });
          for (let at = 1; !(left > 0); at++) {
            left = at;
            const wrong = await questions[question]?.(source);
            if (wrong !== undefined && !tellsOfNames)
              expect([code, question, at, wrong]).toEqual([code, question, at, undefined]);
          }
          left = Number.NaN;
        });
      }
    }
  }
});
