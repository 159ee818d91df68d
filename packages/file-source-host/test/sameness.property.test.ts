import { type lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdit } from '@codicil/arbitraries/lay-tree';
import { anyEdit, anyTree, CANDIDATE_NAMES, TREE_CAP } from '@codicil/arbitraries/trees';
import {
  createMemorySource,
  type FileSource,
  type ListOutcome,
  type Location,
  type ReadOutcome,
  type TreeEdit,
  type TreeSpec,
} from '@codicil/file-source';
import { createHostSource, nodeDisk } from '@codicil/file-source-host';
import type { ProjectPath } from '@codicil/project-path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectPath, withProject } from './fixtures/temporary-project.ts';

const READ = { maxBytes: TREE_CAP, links: 'inside' } as const;
const ANYWHERE = { maxBytes: TREE_CAP, links: 'anywhere' } as const;
const later = (): number => Date.now() + 60_000;

const treeWithEdits: fc.Arbitrary<readonly [TreeSpec, readonly TreeEdit[]]> = anyTree().chain((tree) =>
  fc.tuple(fc.constant(tree), fc.array(anyEdit(tree), { maxLength: 5 })),
);

function pathsOf(tree: TreeSpec, edits: readonly TreeEdit[]): readonly ProjectPath[] {
  const all = new Set(['', ...CANDIDATE_NAMES]);
  for (const { path } of [...tree, ...edits]) {
    if (path.startsWith('../')) continue;
    const segments = path.split('/');
    for (const index of segments.keys()) all.add(segments.slice(0, index + 1).join('/'));
    for (const name of ['secret.md', 'AGENTS.md']) all.add(`${path}/${name}`);
  }
  return [...all].map(projectPath);
}

const ofRead = (outcome: ReadOutcome): string =>
  outcome.kind === 'file'
    ? `file ${outcome.realPath} ${Buffer.from(outcome.bytes).toString('hex')}`
    : `${outcome.kind} ${outcome.diagnostic?.code} ${outcome.diagnostic?.path}`;

function ofList(outcome: ListOutcome): string {
  if (outcome.kind === 'absent') return 'absent';
  if (outcome.kind !== 'entries') return `${outcome.kind} ${outcome.diagnostic.code}`;
  return outcome.entries
    .map((one) => `${one.name} ${one.kind} ${one.linked} ${one.refusal?.code}`)
    .sort()
    .join('\n');
}

const ofPlace = (place: Location): string =>
  place.kind === 'inside' ? `${place.named} ${place.real} ${place.firstLink}` : place.kind;

async function answers(source: FileSource, paths: readonly ProjectPath[]): Promise<readonly string[]> {
  const said: string[] = [];
  const batch = await source.readMany(paths, READ);
  for (const [index, path] of paths.entries()) {
    const outcome = batch[index];
    const first = await source.readFirst(path, CANDIDATE_NAMES, READ);
    said.push(
      `${path} read ${outcome === undefined ? '' : ofRead(outcome)}`,
      `${path} alone ${ofRead(await source.read(path, READ))}`,
      `${path} anywhere ${ofRead(await source.read(path, ANYWHERE))}`,
      `${path} first ${first.name} ${ofRead(first.outcome)} ${first.passedOver.map(({ code }) => code)}`,
      `${path} list ${ofList(await source.list(path, { maxEntries: 4 }))}`,
      `${path} place ${ofPlace(await source.locate(path))}`,
    );
  }
  return said;
}

test('S3 the host source answers as the memory source, for every tree and after every edit', async () => {
  await fc.assert(
    fc.asyncProperty(treeWithEdits, fc.boolean(), async ([tree, edits], descriptors) => {
      await withProject(tree, async (root) => {
        const memory = createMemorySource(tree);
        const host = await createHostSource(root, { clock: later, descriptors, wait: async () => {} });
        const paths = pathsOf(tree, edits);
        expect(await answers(host, paths)).toEqual(await answers(memory, paths));
        for (const edit of edits) {
          applyEdit(root, edit);
          memory.tree.apply(edit);
        }
        expect(await answers(host, paths)).toEqual(await answers(memory, paths));
      });
    }),
    { numRuns: 50 },
  );
});

test('S3 what is proved unchanged reads and lists as before', async () => {
  await fc.assert(
    fc.asyncProperty(treeWithEdits, async ([tree, edits]) => {
      await withProject(tree, async (root) => {
        const source = await createHostSource(root, { wait: async () => {} });
        const paths = pathsOf(tree, edits);
        const look = async (path: ProjectPath): Promise<readonly [string, string]> => [
          ofRead(await source.read(path, READ)),
          ofList(await source.list(path, { maxEntries: 100 })),
        ];
        for (const edit of edits) {
          const known = [];
          for (const path of paths) {
            const read = await source.read(path, READ);
            if (read.kind === 'file') known.push({ path, stamp: read.stamp, said: ofRead(read), kind: 0 as const });
            const list = await source.list(path, { maxEntries: 100 });
            if (list.kind === 'entries') known.push({ path, stamp: list.stamp, said: ofList(list), kind: 1 as const });
          }
          applyEdit(root, edit);
          const changed = new Set(await source.changed(known));
          for (const [index, one] of known.entries()) {
            if (!changed.has(index)) expect((await look(one.path))[one.kind]).toBe(one.said);
          }
        }
      });
    }),
    { numRuns: 40 },
  );
});

test('S3 two edits of one size within a tick of the clock are told apart', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 2_500 }), fc.constantFrom(0, 437), async (age, part) => {
      await withProject([{ path: 'a.md', text: 'one' }], async (root) => {
        const tick = 1_700_000_000_000 + part;
        const path = join(root, 'a.md');
        // A clock so coarse that both edits bear the same time.
        const frozen = <Answer extends ReturnType<typeof lstatSync> | undefined>(stat: Answer): Answer =>
          stat === undefined || !stat.isFile() ? stat : Object.assign(stat, { mtimeMs: tick, ctimeMs: tick });
        const disk = {
          ...nodeDisk,
          fstat: (descriptor: number) => frozen(nodeDisk.fstat(descriptor)),
          lstat: (of: string) => frozen(nodeDisk.lstat(of)),
        };
        const source = await createHostSource(root, { disk, clock: () => tick + age, wait: async () => {} });
        const file = await source.read(projectPath('a.md'), READ);
        if (file.kind !== 'file') throw new Error(`the file is ${file.kind}`);
        const changed = await source.changed([{ path: file.path, stamp: file.stamp }]);
        const window = part === 0 ? 2_000 : 100;
        expect(changed).toEqual(age <= window ? [0] : []);
        writeFileSync(path, 'two');
        expect(ofRead(await source.read(file.path, READ))).toContain(Buffer.from('two').toString('hex'));
      });
    }),
  );
});
