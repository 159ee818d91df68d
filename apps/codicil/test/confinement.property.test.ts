import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { replay } from '../src/replay/replay.ts';
import type { Scenario, Step, TreeEntry } from '../src/replay/scenario.ts';

const SECRET = 'a text that lies outside of every scenario';

/**
 * A defect here would change the machine that the test runs on. So temporary folders are made so deep in a folder of the test's own that no
 * scenario below climbs out of it, whatever links it has: each link and each path climbs by at most {@link MAX_CLIMB}.
 */
const MAX_CLIMB = 5;
const DEPTH = 80;

let sandbox = '';
let deepest = '';
/** What lies outside of every scenario: files, folders and a link, all of which must stay as they are. */
let outside = '';
let untouched = '';

beforeAll(() => {
  sandbox = mkdtempSync(join(realpathSync(tmpdir()), 'codicil-sandbox-'));
  deepest = join(sandbox, ...Array<string>(DEPTH).fill('d'));
  outside = join(deepest, 'outside');
  mkdirSync(join(outside, 'a', 'b'), { recursive: true });
  mkdirSync(join(outside, 'b'));
  writeFileSync(join(outside, 'AGENTS.md'), SECRET);
  writeFileSync(join(outside, 'a', 'c'), SECRET);
  symlinkSync('a/c', join(outside, 'c'));
  chmodSync(join(outside, 'b'), 0o750);
  vi.stubEnv('TMPDIR', deepest);
  untouched = surroundings();
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(sandbox, { recursive: true, force: true });
});

/** What lies outside, and the names and modes of every folder above it. */
function surroundings(): string {
  const above: string[] = [];
  for (let folder = deepest; folder.startsWith(sandbox); folder = dirname(folder)) {
    above.push(`${lstatSync(folder).mode.toString(8)} ${readdirSync(folder).sort().join(' ')}`);
  }
  return `${above.join('\n')}\n${snapshot(outside)}`;
}

/** Everything about a folder that a scenario could change. */
function snapshot(path: string): string {
  const { mode, mtimeMs, ino } = lstatSync(path);
  const what = lstatSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((name) => `${name}: ${snapshot(join(path, name))}`)
        .join('\n')
    : lstatSync(path).isSymbolicLink()
      ? `-> ${readlinkSync(path)}`
      : readFileSync(path, 'utf8');
  return `${mode.toString(8)} ${mtimeMs} ${ino}\n${what}`;
}

/** Few names, so that one step meets what another has made. `OUT` stands for the folder outside. */
const anyName = fc.constantFrom('a', 'b', 'c', 'AGENTS.md');
const anyPath = fc.oneof(
  { weight: 6, arbitrary: fc.array(anyName, { minLength: 1, maxLength: 3 }).map((names) => names.join('/')) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('../', './', '../side/', 'a/../', '../../', '../root/'), anyName)
      .map(([up, name]) => up + name),
  },
  { weight: 1, arbitrary: fc.constantFrom('.', '..', '../..', 'OUT', 'OUT/a/c', 'OUT/new') },
);
const anyTarget = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('OUT', 'OUT/a', 'OUT/a/c', 'OUT/AGENTS.md', 'OUT/new', 'OUT/new/b') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: MAX_CLIMB }), fc.constantFrom('OUTNAME', 'OUTNAME/a', 'OUTNAME/new', ''))
      .map(([ups, name]) => '../'.repeat(ups) + name),
  },
  { weight: 3, arbitrary: anyPath },
  { weight: 1, arbitrary: fc.constantFrom('.', '..', './/a//b', 'a/../../root/b') },
);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ symlink: fc.record({ path: anyPath, target: anyTarget }) }) },
  { weight: 3, arbitrary: fc.record({ write: fc.record({ path: anyPath, text: fc.constant('changed') }) }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.record({ path: anyPath }) }) },
  { weight: 2, arbitrary: fc.record({ rename: fc.record({ from: anyPath, to: anyPath }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ chmod: fc.record({ path: anyPath, mode: fc.constantFrom('700', '755', '000') }) }),
  },
);

const anyEntry: fc.Arbitrary<TreeEntry> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ path: anyPath, symlink: anyTarget }) },
  { weight: 2, arbitrary: fc.record({ path: anyPath, text: fc.constant('changed') }) },
  { weight: 1, arbitrary: fc.record({ path: anyPath, dir: fc.constant(true) }) },
  {
    weight: 1,
    arbitrary: fc.record({ path: anyPath, symlink: anyTarget, mode: fc.constant('700'), dirmode: fc.constant('700') }),
  },
);

interface Played {
  readonly failed: string | undefined;
  readonly text: string;
}

async function play(tree: readonly TreeEntry[], steps: readonly Step[]): Promise<Played> {
  const made = JSON.stringify({ tree, steps }).replaceAll('OUTNAME', basename(outside)).replaceAll('OUT', outside);
  const scenario: Scenario = { lifecycle: 'modules', journal: 'memory', ...JSON.parse(made) };
  let text = '';
  try {
    for await (const request of replay(scenario, tmpdir())) text += JSON.stringify(request);
    return { failed: undefined, text };
  } catch (error) {
    return { failed: (error as Error).message, text };
  }
}

/** A step that fails ends a scenario: so that what comes after it is played too, each run leaves out the steps that were refused before. */
async function playAll(tree: readonly TreeEntry[], steps: readonly Step[]): Promise<void> {
  let rest = steps;
  for (;;) {
    const { failed, text } = await play(tree, [...rest, { prompt: 'go' }]);
    expect(surroundings()).toBe(untouched);
    expect(text).not.toContain(SECRET);
    const refused = /^step (\d+), /.exec(failed ?? '');
    if (refused === null) return;
    rest = rest.filter((_, index) => index !== Number(refused[1]) - 1);
  }
}

test('confined: a scenario changes nothing and reads nothing outside its temporary folder', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 8 }), (steps) => playAll([{ path: 'a/b', text: '' }], steps)),
  );
});

test('confined: a tree changes nothing and reads nothing outside its temporary folder', async () => {
  await fc.assert(fc.asyncProperty(fc.array(anyEntry, { maxLength: 6 }), (tree) => playAll(tree, [])));
});

const link = (path: string, target: string): Step => ({ symlink: { path, target } });

test.each<readonly [string, readonly Step[]]>([
  ['write through a folder link', [link('x', 'OUT'), { write: { path: 'x/new', text: '' } }]],
  ['write through a file link', [link('x', 'OUT/AGENTS.md'), { write: { path: 'x', text: '' } }]],
  ['write through a dangling link', [link('x', 'OUT/new'), { write: { path: 'x', text: '' } }]],
  [
    'write through a chain',
    [link('z', 'OUT'), link('y', 'z'), link('x', './y'), { write: { path: 'x/new', text: '' } }],
  ],
  ['write through a relative link', [link('x', '../../../OUTNAME'), { write: { path: 'x/new', text: '' } }]],
  [
    'write through a link that replaced a folder',
    [
      { write: { path: 'x/ok', text: '' } },
      { remove: { path: 'x' } },
      link('x', 'OUT'),
      { write: { path: 'x/new', text: '' } },
    ],
  ],
  [
    'write through a link that was moved deeper',
    [link('x', '../..'), { rename: { from: 'x', to: '../x' } }, { write: { path: '../x/new', text: '' } }],
  ],
  ['make a folder through a link', [link('x', 'OUT'), { write: { path: 'x/deep/er/new', text: '' } }]],
  ['chmod through a link', [link('x', 'OUT/b'), { chmod: { path: 'x', mode: '777' } }]],
  ['remove through a link', [link('x', 'OUT'), { remove: { path: 'x/a' } }]],
  ['take something out of a linked folder', [link('x', 'OUT'), { rename: { from: 'x/a', to: 'y' } }]],
  [
    'move something into a linked folder',
    [{ write: { path: 'y', text: '' } }, link('x', 'OUT'), { rename: { from: 'y', to: 'x/new' } }],
  ],
  ['make a link in a linked folder', [link('x', 'OUT'), link('x/new', 'a')]],
  ['write at an absolute path', [{ write: { path: 'OUT/new', text: '' } }]],
  ['climb', [{ write: { path: '../../new', text: '' } }]],
  ['climb by a path that comes back', [{ write: { path: 'a/../../../new', text: '' } }]],
  ['change the folder that holds the root', [{ chmod: { path: '..', mode: '777' } }]],
  ['change the folder that holds the root through a link', [link('x', '..'), { chmod: { path: 'x', mode: '777' } }]],
  ['turn in a circle', [link('x', 'y'), link('y', 'x'), { write: { path: 'x/new', text: '' } }]],
  ['put a link in the place of the root', [{ rename: { from: '.', to: '../was' } }, link('.', 'OUT')]],
  [
    'move a link to the place of the root',
    [{ rename: { from: '.', to: '../was' } }, link('../x', 'OUT'), { rename: { from: '../x', to: '.' } }],
  ],
])('confined: the step that would %s is refused and named', async (_, steps) => {
  const { failed } = await play([], steps);
  expect(failed).toMatch(new RegExp(`^step ${steps.length}, `));
  expect(surroundings()).toBe(untouched);
});

test.each<readonly [string, readonly Step[]]>([
  ['beside the root', [{ write: { path: '../beside/x', text: '' } }, { remove: { path: '../beside' } }]],
  [
    'through a link in the root',
    [
      { write: { path: 'd/x', text: '' } },
      link('l', 'd'),
      { write: { path: 'l/y', text: '' } },
      { remove: { path: 'd/y' } },
    ],
  ],
  [
    'through a link to beside the root',
    [link('l', '../beside'), { write: { path: 'l/y', text: '' } }, { remove: { path: '../beside/y' } }],
  ],
  [
    'on a link that leads out, itself',
    [link('l', 'OUT'), { rename: { from: 'l', to: 'm' } }, { remove: { path: 'm' } }],
  ],
  ['under a closed folder', [{ write: { path: 'd/x', text: '' } }, { chmod: { path: 'd', mode: '000' } }]],
])('a step %s is carried out', async (_, steps) => {
  expect((await play([], steps)).failed).toBeUndefined();
  expect(surroundings()).toBe(untouched);
});

test('a failure of an append that was asked for stays in force through a restart', async () => {
  const tree = [{ path: 'd/AGENTS.md', text: 'rules of d' }];
  const touch: Step = { touch: [{ op: 'read', path: 'd/x' }] };
  const { failed, text } = await play(tree, [{ failAppend: 1 }, { restart: true }, touch]);
  expect(failed).toBeUndefined();
  expect(text).toContain('instruction_activation_failed');
  expect(text).not.toContain('rules of d');
});

test('a failure of an append that never came is an error at the end that names its step', async () => {
  const { failed } = await play([], [{ prompt: 'go' }, { failAppend: 2 }, { restart: true }]);
  expect(failed).toMatch(/^step 2, .*2 of these failures unused/);
});
