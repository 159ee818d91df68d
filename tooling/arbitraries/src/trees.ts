import type { TreeEdit, TreeEntry, TreeSpec } from '@codicil/file-source';
import fc from 'fast-check';
import { anyBody, anyRuleText, anyUndecodable, filledTo } from './instruction-texts.ts';

/** The cap that {@link anyTree} aims its sizes at: pass it as `maxBytes`, so that files at the cap and one byte over it are common. */
export const TREE_CAP = 256;

export const CANDIDATE_NAMES: readonly string[] = [
  'AGENTS.override.md',
  'AGENTS.md',
  'AGENTS.MD',
  'CLAUDE.md',
  'CLAUDE.MD',
];

/** The folder of rule modules. */
export const RULES = '.elowen/rules';

const FOLDERS = [
  '',
  'src',
  'src/api',
  'src/api/v1',
  'docs',
  '[id]',
  '.dot',
  'node_modules/x',
  'vendor/y',
  'caf\u00e9',
  'cafe\u0301',
  'new\nline',
  `qu"o'te #%@~=,;&\t`,
  '<b>',
];
const RULE_NAMES = [
  'a.md',
  'b.md',
  'sub/a.md',
  'sub/deep/c.md',
  '.dot.md',
  '._a.md',
  'caf\u00e9.md',
  'cafe\u0301.md',
  'new\nline.md',
  '<"\'> #%@~=,;&\t.md',
  'upper.MD',
  'notes.txt',
];
const SOURCE_NAMES = ['a.ts', 'b.ts', 'a.js', '.env'];
// The third is a neighbour of a root that is called `project`, with a name that begins like it.
const OUTSIDE = ['../outside/secret.md', '../outside/AGENTS.md', '../project-2/secret.md', '../secret.md'];

/** What every text outside the root begins with: bytes that hold it have escaped. */
export const OUTSIDE_MARK = 'OUTSIDE ';

export interface TreeOptions {
  /** Also take rights away (`mode: 0`). Off by default: whoever runs as root on a disk sees nothing of it. */
  readonly rights?: boolean | undefined;
  /** Also put pipes. On by default. */
  readonly pipes?: boolean | undefined;
}

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** A place where an instruction file, a rule or an ordinary file may lie. */
export function anyPath(): fc.Arbitrary<string> {
  const below = (names: readonly string[]): fc.Arbitrary<string> =>
    fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...names)).map(([folder, name]) => join(folder, name));
  return fc.oneof(
    { arbitrary: below(CANDIDATE_NAMES), weight: 4 },
    { arbitrary: fc.constantFrom(...RULE_NAMES).map((name) => join(RULES, name)), weight: 4 },
    { arbitrary: below(SOURCE_NAMES), weight: 2 },
  );
}

/**
 * A project with instruction files at the root and below, rules of every kind of frontmatter, and what goes wrong in real ones: links in all
 * directions, pipes and folders under file names, odd names, undecodable bytes, sizes at the cap and one over.
 *
 * No path comes twice and none lies below an entry that is no folder, so a model may look paths up in the list. It shrinks to fewer entries and
 * shorter texts.
 */
export function anyTree(o: TreeOptions = {}): fc.Arbitrary<TreeSpec> {
  return fc.array(anyEntry(o), { maxLength: 10 }).map(consistent);
}

function anyEntry(o: TreeOptions): fc.Arbitrary<TreeEntry> {
  const file = fc.tuple(anyPath(), anyText()).map(([path, text]) => ({ path, text }));
  const bytes = fc.tuple(anyPath(), anyUndecodable()).map(([path, content]) => ({ path, bytes: content }));
  const outside = fc
    .tuple(fc.constantFrom(...OUTSIDE), anyBody())
    .map(([path, body]) => ({ path, text: OUTSIDE_MARK + body }));
  const folder = fc
    .oneof(anyPath(), fc.constantFrom(...FOLDERS.slice(1)))
    .map((path) => ({ path, folder: true as const }));
  const hardLink = fc.tuple(anyPath(), anyPath()).map(([path, to]) => ({ path, hardLink: to }));
  const choices: fc.WeightedArbitrary<TreeEntry>[] = [
    { arbitrary: file, weight: 12 },
    { arbitrary: outside, weight: 2 },
    { arbitrary: anyLink(), weight: 4 },
    { arbitrary: bytes, weight: 1 },
    { arbitrary: folder, weight: 1 },
    { arbitrary: hardLink, weight: 1 },
  ];
  if (o.pipes !== false)
    choices.push({ arbitrary: anyPath().map((path) => ({ path, fifo: true as const })), weight: 1 });
  if (o.rights === true) choices.push({ arbitrary: file.map((entry) => ({ ...entry, mode: 0 })), weight: 1 });
  return fc.oneof(...choices);
}

function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: anyRuleText(), weight: 6 },
    { arbitrary: anyBody(), weight: 2 },
    { arbitrary: fc.constantFrom(filledTo(TREE_CAP), filledTo(TREE_CAP + 1)), weight: 1 },
  );
}

/** What a link may point at, as a path of the tree: files, folders, itself, nothing, outside. */
function anyTarget(): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: anyPath(), weight: 4 },
    { arbitrary: fc.constantFrom(...FOLDERS, RULES), weight: 1 },
    { arbitrary: fc.constantFrom(...OUTSIDE, '../outside', '..'), weight: 2 },
  );
}

function anyLink(): fc.Arbitrary<TreeEntry> {
  const at = fc.oneof(
    { arbitrary: anyPath(), weight: 4 },
    { arbitrary: fc.constantFrom('src', 'docs', 'src/api', RULES), weight: 1 },
  );
  return fc
    .tuple(at, anyTarget(), fc.boolean())
    .map(([path, target, absolute]) =>
      absolute ? { path, symlink: target, absolute } : { path, symlink: relativeTarget(path, target) },
    );
}

/** The target as a relative link at `path` says it, if no folder above the link is a link itself. */
export function relativeTarget(path: string, target: string): string {
  const up = '../'.repeat(path.split('/').length - 1);
  return up + target === '' ? '.' : up + target;
}

/** Leaves out what contradicts an earlier entry. */
export function consistent(entries: TreeSpec): TreeSpec {
  const kept: TreeEntry[] = [];
  const taken = new Map<string, 'folder' | 'file' | 'other'>();
  for (const entry of entries) {
    const kind =
      'folder' in entry ? 'folder' : 'text' in entry || 'bytes' in entry || 'hardLink' in entry ? 'file' : 'other';
    const above = ancestors(entry.path);
    if (taken.has(entry.path) || above.some((folder) => (taken.get(folder) ?? 'folder') !== 'folder')) continue;
    if ('hardLink' in entry && taken.get(entry.hardLink) !== 'file') continue;
    for (const folder of above) taken.set(folder, 'folder');
    taken.set(entry.path, kind);
    kept.push(entry);
  }
  return kept;
}

function ancestors(path: string): readonly string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/**
 * Paths as tools report them, relative to the root: entries of the tree, files that do not exist yet, spellings with dots, places through links,
 * and places outside.
 */
export function anyTouches(tree: TreeSpec): fc.Arbitrary<readonly string[]> {
  const paths = tree.map(({ path }) => path);
  const links = tree.filter((entry) => 'symlink' in entry).map(({ path }) => `${path}/new.ts`);
  const fresh = fc
    .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom('new.ts', 'a.ts'))
    .map(([folder, name]) => join(folder, name));
  const touch = fc.oneof(
    { arbitrary: fc.oneof(fresh, anyPath()), weight: 4 },
    { arbitrary: paths.length === 0 ? fresh : fc.constantFrom(...paths), weight: 3 },
    { arbitrary: links.length === 0 ? fresh : fc.constantFrom(...links), weight: 1 },
    { arbitrary: fresh.map((path) => `./src/../${path}`), weight: 1 },
    { arbitrary: fc.constantFrom('', '..', ...OUTSIDE), weight: 1 },
  );
  return fc.array(touch, { maxLength: 4 });
}

/** One change of a project that began as `tree`: mostly of what is there, sometimes of a new place. No path lies outside the root. */
export function anyEdit(tree: TreeSpec, o: TreeOptions = {}): fc.Arbitrary<TreeEdit> {
  const there = tree.map(({ path }) => path).filter((path) => !path.startsWith('../'));
  const path =
    there.length === 0
      ? anyPath()
      : fc.oneof({ arbitrary: fc.constantFrom(...there), weight: 3 }, { arbitrary: anyPath(), weight: 1 });
  const spot = fc.oneof(
    { arbitrary: path, weight: 4 },
    { arbitrary: fc.constantFrom('src', 'docs', RULES, '.elowen'), weight: 1 },
  );
  const choices: fc.WeightedArbitrary<TreeEdit>[] = [
    { arbitrary: fc.record({ kind: fc.constant('write' as const), path, text: anyText() }), weight: 6 },
    { arbitrary: fc.record({ kind: fc.constant('remove' as const), path: spot }), weight: 2 },
    {
      arbitrary: fc.record({ kind: fc.constant('rename' as const), path: spot, to: fc.oneof(path, anyPath()) }),
      weight: 3,
    },
    { arbitrary: anyLinkEdit(spot), weight: 2 },
    { arbitrary: fc.record({ kind: fc.constant('mkdir' as const), path: spot }), weight: 1 },
  ];
  if (o.rights === true) {
    const mode = fc.constantFrom(0, 0o644, 0o755);
    choices.push({ arbitrary: fc.record({ kind: fc.constant('chmod' as const), path: spot, mode }), weight: 2 });
  }
  return fc.oneof(...choices);
}

function anyLinkEdit(at: fc.Arbitrary<string>): fc.Arbitrary<TreeEdit> {
  return fc
    .tuple(at, anyTarget(), fc.boolean())
    .map(([path, target, absolute]) =>
      absolute
        ? { kind: 'symlink', path, target, absolute }
        : { kind: 'symlink', path, target: relativeTarget(path, target) },
    );
}
