import { createHash } from 'node:crypto';
import { anyBody, anyPathsBlock } from '@codicil/arbitraries/instruction-texts';
import { anyPath, anyTouches, anyTree, CANDIDATE_NAMES, TREE_CAP } from '@codicil/arbitraries/trees';
import { createMemorySource, type FileSource, type TreeSpec } from '@codicil/file-source';
import { createInstructionResolver, defaultLayout, type InstructionModule } from '@codicil/instruction-modules';
import { parseProjectPath } from '@codicil/project-path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathsOf } from './over.ts';

const layout = { ...defaultLayout, maxFileBytes: TREE_CAP };
const anyProject = fc
  .record({ tree: anyTree() })
  .chain(({ tree }) => fc.record({ tree: fc.constant(tree), touches: anyTouches(tree) }));

/** Touches that match most globs that a random rule may have. */
const WIDE = [
  'a.ts',
  'src/a.ts',
  'src/api/v1/a.ts',
  'docs/x',
  '[id]/x',
  'caf\u00e9/x',
  'cafe\u0301/x',
  'x/.dot/y',
  'none/z',
];

const anyFlip = fc.record({
  always: anyBody().map((body) => `# ${body}`),
  conditional: fc.tuple(anyPathsBlock(), anyBody()).map(([block, body]) => block + body),
  startsConditional: fc.boolean(),
  /** How many reads of the rule come before the edit. */
  after: fc.integer({ min: 0, max: 3 }),
});

test('R1 a rule is in startup() or can be in forPaths(), never both, also when it turns from one into the other in the midst', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree(), anyFlip, async (tree, flip) => {
      const path = '.elowen/rules/flip.md';
      const texts = flip.startsConditional ? [flip.conditional, flip.always] : [flip.always, flip.conditional];
      const source = createMemorySource([
        ...tree.filter((entry) => !entry.path.startsWith('.elowen')),
        { path, text: texts[0] ?? '' },
      ]);
      const resolver = createInstructionResolver(source, { layout });
      const [startup, touched] = [await resolver.startup(), await resolver.forPaths(WIDE)];
      const both = pathsOf(startup).filter((name) => pathsOf(touched).includes(name));
      expect(both).toEqual([]);
      expect(pathsOf(flip.startsConditional ? startup : touched)).not.toContain(path);

      for (const call of ['startup', 'forPaths'] as const) {
        source.tree.write(path, texts[0] ?? '');
        let reads = 0;
        source.faults.duringReads(8, () => reads++ === flip.after && source.tree.write(path, texts[1] ?? ''), path);
        const { modules } = call === 'startup' ? await resolver.startup() : await resolver.forPaths(WIDE);
        for (const module of modules.filter(({ relPath }) => relPath === path)) {
          // Judged by the text that was sent, not by the one that was chosen.
          expect(module.condition.kind).toBe(call === 'startup' ? 'always' : 'paths');
          expect(module.content).toBe(call === 'startup' ? flip.always : bodyOf(flip.conditional));
        }
      }
    }),
  );
});

const NAMES = [
  'a',
  'B',
  'b',
  'a-b',
  'a.b',
  'a0',
  '.a',
  '\u00e9',
  'e\u0301',
  '\ufb00',
  '\u{1f600}',
  '\u{10ffff}',
  '<',
  'new\nline',
];
const anyName = fc.constantFrom(...NAMES);
const anyFolders = fc.array(anyName, { maxLength: 3 }).map((names) => names.join('/'));

const anyOrdered = fc.record({
  rules: fc.uniqueArray(
    fc.tuple(anyFolders, anyName).map(([folder, name]) => `.elowen/rules/${folder}${folder && '/'}${name}.md`),
    { maxLength: 12 },
  ),
  folders: fc.uniqueArray(
    anyFolders.filter((folder) => folder !== ''),
    { maxLength: 8 },
  ),
  isConditional: fc.boolean(),
});

test('R2 nested files come by depth then path, then rules by path, in code-point order, whatever the listing order and the touches', async () => {
  await fc.assert(
    fc.asyncProperty(anyOrdered, fc.infiniteStream(fc.nat()), async ({ rules, folders, isConditional }, random) => {
      const head = isConditional ? '---\npaths: ["**"]\n---\n' : '';
      const tree: TreeSpec = [
        ...rules.map((path) => ({ path, text: `${head}${path}` })),
        ...folders.map((folder) => ({ path: `${folder}/AGENTS.md`, text: folder })),
      ];
      const source = shuffled(createMemorySource(tree), () => random.next().value ?? 0);
      const touches = shuffle(
        folders.map((folder) => `${folder}/x`),
        () => random.next().value ?? 0,
      );
      const resolver = createInstructionResolver(source, { layout });
      const resolution = await resolver.forPaths([...touches, 'x']);
      const depth = (path: string): number => path.split('/').length;
      const nested = folders
        .map((folder) => `${folder}/AGENTS.md`)
        .sort((a, b) => depth(a) - depth(b) || byPoints(a, b));
      const ordered = [...rules].sort(byPoints);
      expect(pathsOf(resolution)).toEqual([...nested, ...(isConditional ? ordered : [])]);
      expect(pathsOf(await resolver.startup())).toEqual(isConditional ? [] : ordered);
    }),
  );
});

test('R3 more touched paths never select fewer modules', async () => {
  await fc.assert(
    fc.asyncProperty(anyProject, fc.array(anyPath(), { maxLength: 3 }), async ({ tree, touches }, more) => {
      const resolver = createInstructionResolver(createMemorySource(tree), { layout });
      const few = await resolver.forPaths(touches);
      const many = await resolver.forPaths([...more, ...touches]);
      expect(pathsOf(many)).toEqual(expect.arrayContaining([...pathsOf(few)]));
      const each = await Promise.all([...more, ...touches].map((touch) => resolver.forPaths([touch])));
      expect([...pathsOf(many)].sort()).toEqual([...new Set(each.flatMap(pathsOf))].sort());
    }),
  );
});

test("R4 nothing is truncated: each content is its file's body, whole, and its hash is that of the content", async () => {
  await fc.assert(
    fc.asyncProperty(anyProject, async ({ tree, touches }) => {
      const source = createMemorySource(tree);
      const resolver = createInstructionResolver(source, { layout });
      const resolutions = [await resolver.startup(), await resolver.forPaths([...touches, ...WIDE])];
      for (const module of resolutions.flatMap(({ modules }) => modules)) {
        expect(module.content).toBe(await bodyInFile(source, module));
        expect(module.sha256).toBe(createHash('sha256').update(module.content).digest('hex'));
      }
    }),
  );
});

async function bodyInFile(source: FileSource, module: InstructionModule): Promise<string> {
  const path = parseProjectPath(module.relPath);
  if (path === undefined) throw new Error(`${module.relPath} is no project path`);
  const links = CANDIDATE_NAMES.includes(module.relPath) ? 'anywhere' : 'inside';
  const outcome = await source.read(path, { maxBytes: 1_000_000, links });
  if (outcome.kind !== 'file') throw new Error(`${module.relPath} is ${outcome.kind}`);
  const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(outcome.bytes);
  return module.origin === 'rule' ? bodyOf(text) : text;
}

/** A second, slower reading of the format: lines up to the second fence. */
function bodyOf(text: string): string {
  const lines = text.split(/(?<=\n)/);
  const isFence = (line: string): boolean => /^---[ \t]*\r?\n?$/.test(line);
  if (!isFence(lines[0] ?? '')) return text;
  return lines.slice(lines.findIndex((line, index) => index > 0 && isFence(line)) + 1).join('');
}

function byPoints(left: string, right: string): number {
  const [a, b] = [[...left], [...right]].map((points) => points.map((point) => point.codePointAt(0) ?? 0));
  for (const [index, point] of (a ?? []).entries()) {
    const other = b?.[index];
    if (other === undefined) return 1;
    if (point !== other) return point - other;
  }
  return (a?.length ?? 0) - (b?.length ?? 0);
}

function shuffle<T>(items: readonly T[], next: () => number): T[] {
  return [...items]
    .map((item) => ({ item, key: next() }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item);
}

/** The same source, with folders listed in any order. */
function shuffled(source: FileSource, next: () => number): FileSource {
  return {
    root: source.root,
    ignoresCase: source.ignoresCase,
    locate: (path, o) => source.locate(path, o),
    read: (path, o) => source.read(path, o),
    readMany: (paths, o) => source.readMany(paths, o),
    readFirst: (folder, names, o) => source.readFirst(folder, names, o),
    changed: (known, o) => source.changed(known, o),
    async list(folder, o) {
      const listing = await source.list(folder, o);
      return listing.kind === 'entries' ? { ...listing, entries: shuffle(listing.entries, next) } : listing;
    },
  };
}
