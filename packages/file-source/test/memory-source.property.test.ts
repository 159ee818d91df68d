import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyEdit, layTree } from '@codicil/arbitraries/lay-tree';
import {
  anyEdit,
  anyPath,
  anyTree,
  CANDIDATE_NAMES,
  OUTSIDE_MARK,
  relativeTarget,
  TREE_CAP,
} from '@codicil/arbitraries/trees';
import {
  createMemorySource,
  type FileSource,
  type Known,
  type ListOutcome,
  type ReadOutcome,
  type TreeEdit,
  type TreeSpec,
} from '@codicil/file-source';
import { type ProjectPath, parseProjectPath } from '@codicil/project-path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listOnDisk, readOnDisk } from './reference/disk-reference.ts';

const READ = { maxBytes: TREE_CAP, links: 'inside' } as const;
const MOST_ENTRIES = 4;

function projectPath(path: string): ProjectPath {
  const parsed = parseProjectPath(path);
  if (parsed === undefined) throw new Error(`${path} is no project path`);
  return parsed;
}

/** Every path that a tree and its edits name, the folders above them, and candidates below each. */
function pathsOf(tree: TreeSpec, edits: readonly TreeEdit[], more: readonly string[] = []): readonly ProjectPath[] {
  const named = [
    ...tree.map(({ path }) => path),
    ...edits.flatMap((edit) => ('to' in edit ? [edit.path, edit.to] : [edit.path])),
  ];
  const all = new Set(['', ...more]);
  for (const path of named.filter((one) => !one.startsWith('../'))) {
    const segments = path.split('/');
    for (const index of segments.keys()) all.add(segments.slice(0, index + 1).join('/'));
    for (const name of ['secret.md', 'AGENTS.md', 'a.ts']) all.add(`${path}/${name}`);
  }
  return [...all].map(projectPath);
}

function summaryOfRead(outcome: ReadOutcome): string {
  if (outcome.kind !== 'file') return `${outcome.kind} ${outcome.diagnostic?.code ?? ''}`;
  return `file ${outcome.realPath} ${Buffer.from(outcome.bytes).toString('hex')}`;
}

function summaryOfList(outcome: ListOutcome): string {
  if (outcome.kind === 'absent') return 'absent';
  if (outcome.kind !== 'entries') return `${outcome.kind} ${outcome.diagnostic.code}`;
  const entries = outcome.entries.map((one) => `${one.name} ${one.kind} ${one.linked} ${one.refusal?.code ?? ''}`);
  return entries.sort().join('\n');
}

const anyTreeWithEdits = (rights: boolean): fc.Arbitrary<readonly [TreeSpec, readonly TreeEdit[]]> =>
  anyTree({ rights }).chain((tree) =>
    fc.tuple(fc.constant(tree), fc.array(anyEdit(tree, { rights }), { maxLength: 6 })),
  );

test('S1 no bytes and no names from outside come through the memory source while its links are turned', async () => {
  await fc.assert(
    fc.asyncProperty(anyTreeWithEdits(true), fc.integer({ min: 1, max: 64 }), async ([tree, edits], portion) => {
      const source = createMemorySource(tree, { portion });
      const pending = [...edits];
      const next = (): void => {
        const edit = pending.shift();
        if (edit !== undefined) source.tree.apply(edit);
      };
      source.faults.duringReads(edits.length, next);
      for (const path of pathsOf(tree, edits)) {
        const outcomes = [await source.read(path, READ), (await source.readFirst(path, CANDIDATE_NAMES, READ)).outcome];
        for (const outcome of outcomes) {
          if (outcome.kind === 'file') expect(Buffer.from(outcome.bytes).toString()).not.toContain(OUTSIDE_MARK);
        }
        const listing = await source.list(path, { maxEntries: 100 });
        if (listing.kind !== 'entries') continue;
        for (const { name, kind } of listing.entries) if (kind === 'file') expect(name).not.toBe('secret.md');
      }
    }),
  );
});

test('S1 a link that is turned outwards between the check and the read gives nothing from outside', async () => {
  const turning = fc.record({
    portion: fc.integer({ min: 1, max: 8 }),
    times: fc.integer({ min: 1, max: 4 }),
    folderLink: fc.boolean(),
    absolute: fc.boolean(),
    // The root is called `project`.
    outside: fc.constantFrom('outside', 'project-2', 'projec', 'project.md', 'Project'),
  });
  await fc.assert(
    fc.asyncProperty(turning, async ({ portion, times, folderLink, absolute, outside }) => {
      const source = createMemorySource(
        [
          { path: `../${outside}/a.md`, text: `${OUTSIDE_MARK}!` },
          { path: 'real/a.md', text: 'inside it' },
          folderLink ? { path: 'd', symlink: 'real' } : { path: 'd/a.md', symlink: '../real/a.md' },
        ],
        { portion },
      );
      const [link, target] = folderLink ? ['d', `../${outside}`] : ['d/a.md', `../${outside}/a.md`];
      const said = absolute ? target : relativeTarget(link, target);
      source.faults.duringReads(times, () => source.tree.symlink(link, said, { absolute }));
      const outcome = await source.read(projectPath('d/a.md'), READ);
      expect(summaryOfRead(outcome)).toBe(`file real/a.md ${Buffer.from('inside it').toString('hex')}`);
      expect(summaryOfRead(await source.read(projectPath('d/a.md'), READ))).toBe('refused instruction_module_escape');
      const listing = summaryOfList(await source.list(projectPath('d'), { maxEntries: 10 }));
      expect(listing).toBe(folderLink ? 'refused symlink_refused' : 'a.md other true instruction_module_escape');
    }),
  );
});

test('S2 what is read under edits is one content, whole, that the file had meanwhile, or unavailable', async () => {
  const content = fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(0, 1, 7, 8, 9, 16, 17))
    .map(([letter, size]) => letter.repeat(size));
  const act = fc.record({ how: fc.constantFrom('write', 'rename', 'link'), text: content });
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.array(act, { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      async (first, acts, portion) => {
        const source = createMemorySource([{ path: 'a.md', text: first }], { portion, granularity: 1_000 });
        const had = [first];
        for (const [index, { how, text }] of acts.entries()) {
          source.faults.duringReads(1, () => {
            had.push(text);
            if (how === 'write') source.tree.write('a.md', text);
            else source.tree.write(`${index}.md`, text);
            if (how === 'rename') source.tree.rename(`${index}.md`, 'a.md');
            if (how === 'link') source.tree.symlink('a.md', `${index}.md`);
          });
        }
        const outcome = await source.read(projectPath('a.md'), { maxBytes: 16, links: 'inside' });
        if (outcome.kind === 'file') {
          const text = Buffer.from(outcome.bytes).toString();
          expect(had).toContain(text);
          expect(text.length).toBeLessThanOrEqual(16);
        } else if (outcome.kind === 'refused') {
          expect(outcome.diagnostic.code).toBe('context_file_oversized');
          expect(had.some((text) => text.length > 16)).toBe(true);
        } else {
          expect(outcome).toMatchObject({ kind: 'unavailable', diagnostic: { code: 'file_unstable' } });
          expect(acts.length).toBeGreaterThanOrEqual(3);
        }
      },
    ),
  );
});

test('S2 a file that changes in each attempt is unavailable after a bounded number of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      fc.string({ minLength: 2, maxLength: 20 }),
      async (times, text) => {
        const source = createMemorySource([{ path: 'a.md', text }], { portion: 1 });
        source.faults.duringReads(times, () => source.tree.write('a.md', [...text].reverse().join('')), 'a.md');
        const outcome = await source.read(projectPath('a.md'), READ);
        expect(outcome.kind).toBe(times < 3 ? 'file' : 'unavailable');
        expect(source.counts.reads).toBe(Math.min(times + 1, 3));
      },
    ),
  );
});

async function sameOnDisk(source: FileSource, root: string, paths: readonly ProjectPath[]): Promise<void> {
  for (const path of paths) {
    expect([path, summaryOfRead(await source.read(path, READ))]).toEqual([path, readOnDisk(root, path, TREE_CAP)]);
    const listing = await source.list(path, { maxEntries: MOST_ENTRIES });
    expect([path, summaryOfList(listing)]).toEqual([path, listOnDisk(root, path, MOST_ENTRIES)]);
  }
}

test('S3 the memory source answers as the disk does, for every tree and after every edit', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'codicil-')));
  let runs = 0;
  try {
    await fc.assert(
      fc.asyncProperty(anyTreeWithEdits(false), fc.array(anyPath(), { maxLength: 3 }), async ([tree, edits], more) => {
        runs += 1;
        const folder = join(home, String(runs));
        const root = join(folder, 'project');
        mkdirSync(folder);
        layTree(root, tree);
        const source = createMemorySource(tree);
        const paths = pathsOf(tree, edits, more);
        await sameOnDisk(source, root, paths);
        for (const edit of edits) {
          applyEdit(root, edit);
          source.tree.apply(edit);
        }
        await sameOnDisk(source, root, paths);
        rmSync(folder, { recursive: true });
      }),
    );
  } finally {
    rmSync(home, { recursive: true });
  }
});

/** A folder that moves away, inside or out, with a link in its place: the files below look the same through it. */
function anySwap(tree: TreeSpec): fc.Arbitrary<readonly TreeEdit[]> {
  const folders = tree.map(({ path }) => path.split('/')[0] ?? '').filter((folder) => folder !== '..');
  return fc.tuple(fc.constantFrom('src', ...folders), fc.constantFrom('moved', '../moved')).map(([path, to]) => [
    { kind: 'rename', path, to },
    { kind: 'symlink', path, target: to },
  ]);
}

const anyTreeWithSteps: fc.Arbitrary<readonly [TreeSpec, readonly (readonly TreeEdit[])[]]> = anyTree({
  rights: true,
}).chain((tree) => {
  const one = anyEdit(tree, { rights: true }).map((edit) => [edit]);
  const step = fc.oneof({ arbitrary: one, weight: 4 }, { arbitrary: anySwap(tree), weight: 1 });
  return fc.tuple(fc.constant(tree), fc.array(step, { maxLength: 6 }));
});

test('S3 what is proved unchanged reads and lists as before', async () => {
  const clock = fc.record({ granularity: fc.constantFrom(undefined, 10), elapsed: fc.constantFrom(0, 5, 10) });
  await fc.assert(
    fc.asyncProperty(anyTreeWithSteps, clock, async ([tree, steps], { granularity, elapsed }) => {
      const source = createMemorySource(tree, { granularity });
      const paths = pathsOf(tree, steps.flat());
      let before = await look(source, paths);
      for (const step of steps) {
        for (const edit of step) source.tree.apply(edit);
        source.tree.touchClock(elapsed);
        const changed = new Set(await source.changed(before.map(({ known }) => known)));
        const after = new Map((await look(source, paths)).map((seen) => [seen.what, seen]));
        for (const [index, seen] of before.entries()) {
          if (!changed.has(index)) expect(after.get(seen.what)?.summary).toBe(seen.summary);
        }
        before = [...after.values()];
      }
    }),
  );
});

test('S3 an edit of the same size within a tick of the clock is not proved unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }), async (early, late) => {
      const source = createMemorySource([], { granularity: 10 });
      source.tree.write('a.md', 'one');
      source.tree.touchClock(early);
      const [seen] = await look(source, [projectPath('a.md')]);
      if (seen === undefined) throw new Error('the file is not there');
      source.tree.write('a.md', 'two');
      source.tree.touchClock(late);
      expect(await source.changed([seen.known])).toEqual([0]);
    }),
  );
});

interface Look {
  readonly what: string;
  readonly known: Known;
  readonly summary: string;
}

/** Whatever has a stamp. */
async function look(source: FileSource, paths: readonly ProjectPath[]): Promise<readonly Look[]> {
  const seen: Look[] = [];
  for (const path of paths) {
    const read = await source.read(path, READ);
    if (read.kind === 'file')
      seen.push({ what: `read ${path}`, known: { path, stamp: read.stamp }, summary: summaryOfRead(read) });
    const listing = await source.list(path, { maxEntries: 100 });
    if (listing.kind !== 'entries') continue;
    seen.push({ what: `list ${path}`, known: { path, stamp: listing.stamp }, summary: summaryOfList(listing) });
  }
  return seen;
}
