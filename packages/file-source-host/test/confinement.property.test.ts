import { applyEdit } from '@codicil/arbitraries/lay-tree';
import { anyEdit, anyTree, CANDIDATE_NAMES, OUTSIDE_MARK, TREE_CAP } from '@codicil/arbitraries/trees';
import type { TreeEdit, TreeSpec } from '@codicil/file-source';
import { createHostSource } from '@codicil/file-source-host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actingDisk } from './fixtures/acting-disk.ts';
import { projectPath, withProject } from './fixtures/temporary-project.ts';

const READ = { maxBytes: TREE_CAP, links: 'inside' } as const;

const treeWithEdits: fc.Arbitrary<readonly [TreeSpec, readonly TreeEdit[]]> = anyTree().chain((tree) =>
  fc.tuple(fc.constant(tree), fc.array(anyEdit(tree), { maxLength: 6 })),
);

test('S1 no bytes from outside come back while the tree changes between any two system calls', async () => {
  await fc.assert(
    fc.asyncProperty(
      treeWithEdits,
      fc.array(fc.nat(8), { minLength: 6, maxLength: 6 }),
      fc.boolean(),
      async ([tree, edits], gaps, descriptors) => {
        await withProject(tree, async (root) => {
          const pending = [...edits];
          let quiet = gaps[0] ?? 0;
          const disk = actingDisk(() => {
            quiet -= 1;
            if (quiet >= 0) return;
            const edit = pending.shift();
            quiet = gaps[pending.length] ?? 0;
            if (edit !== undefined) applyEdit(root, edit);
          });
          const source = await createHostSource(root, { disk, descriptors, wait: async () => {} });
          const paths = [...tree, ...edits].map(({ path }) => path).filter((path) => !path.startsWith('../'));
          const asked = [...paths, ...paths.map((path) => `${path}/secret.md`), ...CANDIDATE_NAMES].map(projectPath);
          const outcomes = [...(await source.readMany(asked, READ))];
          for (const path of asked) {
            outcomes.push(await source.read(path, READ));
            outcomes.push((await source.readFirst(path, ['secret.md', ...CANDIDATE_NAMES], READ)).outcome);
          }
          for (const outcome of outcomes) {
            if (outcome.kind === 'file') expect(Buffer.from(outcome.bytes).toString()).not.toContain(OUTSIDE_MARK);
          }
        });
      },
    ),
  );
});

const OUTSIDE: TreeSpec = [
  { path: '../outside/d/a.md', text: `${OUTSIDE_MARK}a` },
  { path: '../outside/d/b.md', text: `${OUTSIDE_MARK}b` },
];
const INSIDE: TreeSpec = [
  { path: 'p/d/a.md', text: 'inside a' },
  { path: 'p/d/b.md', text: 'inside b' },
  { path: 'p/d/link.md', symlink: 'a.md' },
];
const FILE_TURNS: readonly TreeEdit[] = [{ kind: 'symlink', path: 'p/d/a.md', target: '../../../outside/d/a.md' }];
const LINK_TURNS: readonly TreeEdit[] = [{ kind: 'symlink', path: 'p/d/link.md', target: '../../../outside/d/a.md' }];
const FOLDER_TURNS: readonly TreeEdit[] = [
  { kind: 'rename', path: 'p', to: 'away' },
  { kind: 'symlink', path: 'p', target: '../outside' },
];
const FOLDER_LEAVES: readonly TreeEdit[] = [
  { kind: 'rename', path: 'p/d', to: '../left' },
  { kind: 'write', path: '../left/a.md', text: `${OUTSIDE_MARK}later` },
  { kind: 'write', path: '../left/b.md', text: `${OUTSIDE_MARK}later` },
];

/** Every instant of a read of two files and a link is tried in turn. */
async function atEveryCall(edits: readonly TreeEdit[], back: readonly TreeEdit[], descriptors: boolean): Promise<void> {
  let reached = true;
  for (let instant = 0; reached; instant++) {
    reached = false;
    await withProject([...OUTSIDE, ...INSIDE], async (root) => {
      let calls = -1;
      const disk = actingDisk((call) => {
        if (calls < 0) return;
        if (calls === instant) {
          reached = true;
          for (const edit of edits) applyEdit(root, edit);
        }
        // Turned back as soon as something was opened: whoever asks the name again is told that all is well.
        if (calls > instant && call === 'fstat') for (const edit of back) applyEdit(root, edit);
        calls += 1;
      });
      // Old enough to be believed at first sight: nothing is asked twice.
      const clock = (): number => Date.now() + 60_000;
      const source = await createHostSource(root, { disk, descriptors, clock, wait: async () => {} });
      calls = 0;
      const outcomes = await source.readMany(['p/d/a.md', 'p/d/b.md', 'p/d/link.md'].map(projectPath), READ);
      const texts = outcomes.map((one) => (one.kind === 'file' ? Buffer.from(one.bytes).toString() : one.kind));
      expect([instant, texts.filter((text) => text.startsWith(OUTSIDE_MARK))]).toEqual([instant, []]);
    });
  }
}

const turns = {
  'a file': [FILE_TURNS, []],
  'a link': [LINK_TURNS, []],
  'a folder': [FOLDER_TURNS, []],
  'a folder, and back': [
    FOLDER_TURNS,
    [
      { kind: 'remove', path: 'p' },
      { kind: 'rename', path: 'away', to: 'p' },
    ],
  ],
  'a folder that moves out': [FOLDER_LEAVES, []],
} as const satisfies Record<string, readonly [readonly TreeEdit[], readonly TreeEdit[]]>;

for (const [what, [edits, back]] of Object.entries(turns)) {
  for (const descriptors of [true, false]) {
    test(`S1 ${what} turned outwards at any instant gives nothing from outside, folders ${descriptors ? 'held' : 'asked for'}`, async () => {
      await atEveryCall(edits, back, descriptors);
    });
  }
}
