import { consistent } from '@codicil/arbitraries/trees';
import { createMemorySource, type TreeEntry, type TreeSpec } from '@codicil/file-source';
import { createInstructionResolver } from '@codicil/instruction-modules';
import { listProject, scanProject } from '@codicil/project-scan';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const FOLDERS = [
  'src',
  'SRC',
  'src/deep',
  'Node_modules/x',
  'node_modules/x',
  'vendor/y',
  'Vendor/y',
  'clone',
  '.venv',
];
const NAMES = ['AGENTS.md', 'agents.md', 'Agents.override.md', 'CLAUDE.md', 'a.ts', 'A.ts', 'b.css'];
const RULES = ['.elowen/rules/a.md', '.elowen/rules/sub/B.md', '.Elowen/Rules/c.md', 'src/.elowen/rules/d.md'];
const GLOBS = ['src/**', '**/*.ts', 'SRC/*', '**/AGENTS.md', 'node_modules/**', '.elowen/**', 'none/*'];

const anyPlace = fc.tuple(fc.constantFrom('', ...FOLDERS), fc.constantFrom(...NAMES)).map(([folder, name]) => {
  return folder === '' ? name : `${folder}/${name}`;
});
const anyEntry: fc.Arbitrary<TreeEntry> = fc.oneof(
  { arbitrary: fc.record({ path: anyPlace, text: fc.constantFrom('one\n', 'two\n', '\u202e', '') }), weight: 8 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...RULES), fc.uniqueArray(fc.constantFrom(...GLOBS), { maxLength: 2 }))
      .map(([path, globs]) => ({
        path,
        text: globs.length === 0 ? 'always\n' : `---\npaths: ${JSON.stringify(globs)}\n---\n${path}\n`,
      })),
    weight: 4,
  },
  { arbitrary: fc.record({ path: anyPlace, fifo: fc.constant(true as const) }), weight: 1 },
  { arbitrary: fc.record({ path: anyPlace, text: fc.constant('x'), mode: fc.constant(0) }), weight: 1 },
  {
    arbitrary: fc.record({
      path: anyPlace,
      symlink: fc
        .constantFrom('/src', '/src/a.ts', '/vendor/y/a.ts', '/../outside.md', '/clone/AGENTS.md')
        .map((to) => {
          return to.slice(1);
        }),
      absolute: fc.constant(true),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.constantFrom('clone/.git/HEAD', 'src/.git/x', 'SRC/.git').map((path) => ({ path, text: 'x' })),
    weight: 1,
  },
  {
    arbitrary: fc
      .constantFrom('AGENTS.md\n', 'agents.md\nsrc/deep\n', 'vendor\n*.ts\n')
      .map((text) => ({ path: '.gitignore', text })),
    weight: 1,
  },
);

/** On a target that ignores case, of two spellings of a path the first counts. */
function spelledOnce(tree: TreeSpec): TreeSpec {
  const spellings = new Map<string, string>();
  return tree.map((entry) => {
    let path = '';
    for (const name of entry.path.split('/')) {
      const next = path === '' ? name : `${path}/${name}`;
      path = spellings.get(next.toLowerCase()) ?? next;
      spellings.set(next.toLowerCase(), path);
    }
    return { ...entry, path };
  });
}

const anyProject = fc.record({
  ignoresCase: fc.boolean(),
  entries: fc.array(anyEntry, { maxLength: 12 }),
});

test('R6 a scan says of every file of a project what explain says, whatever the case of the names and whoever owns the folders', async () => {
  await fc.assert(
    fc.asyncProperty(anyProject, async ({ ignoresCase, entries }) => {
      const tree = consistent(ignoresCase ? spelledOnce(entries) : entries);
      const source = createMemorySource([...tree, { path: '../outside.md', text: 'outside\n' }], { ignoresCase });
      const resolver = createInstructionResolver(source);
      const scan = await scanProject({ source, resolver });
      const { files, folders } = await listProject(source);

      const reach = new Map<string, { sha256: string; files: number; readonly globs: Map<string, number> }>();
      const notApplied = new Set<string>();
      const told = new Set<string>();
      const bare = await resolver.explain([]);
      for (const { relPath, sha256 } of bare.startup) {
        reach.set(`startup ${relPath}`, { sha256, files: files.length, globs: new Map() });
      }
      const explanations = [bare];
      for (const file of files) {
        const explanation = await resolver.explain([file]);
        explanations.push(explanation);
        for (const { module, matched } of explanation.delivered) {
          const key = `on touch ${module.relPath}`;
          const found = reach.get(key) ?? { sha256: module.sha256, files: 0, globs: new Map() };
          reach.set(key, found);
          found.files += 1;
          for (const glob of new Set(matched.flatMap(({ glob }) => glob ?? []))) {
            found.globs.set(glob, (found.globs.get(glob) ?? 0) + 1);
          }
        }
      }
      // A folder may hold instructions and no file yet.
      for (const folder of folders) {
        const explanation = await resolver.explain([folder === '' ? 'new' : `${folder}/new`]);
        explanations.push(explanation);
        for (const { relPath, origin, sha256 } of explanation.delivered.map(({ module }) => module)) {
          const key = `on touch ${relPath}`;
          if (origin === 'nested' && !reach.has(key)) reach.set(key, { sha256, files: 0, globs: new Map() });
        }
      }
      for (const explanation of explanations) {
        for (const { relPath, reason } of explanation.notApplied) {
          if (reason !== 'no_glob_matches') notApplied.add(`${reason} ${relPath}`);
          else if (!reach.has(`on touch ${relPath}`)) notApplied.add(`${reason} ${relPath}`);
        }
        for (const { code, path } of explanation.diagnostics) told.add(`${code} ${path}`);
      }

      const scanned = scan.modules.filter(({ loads }) => loads !== 'never');
      expect(
        Object.fromEntries(
          scanned.map(({ loads, relPath, module, files: count, globs }) => [
            `${loads} ${relPath}`,
            {
              sha256: module?.sha256,
              files: count,
              globs: new Map(globs.flatMap(({ glob, files: matched }) => (matched === 0 ? [] : [[glob, matched]]))),
            },
          ]),
        ),
      ).toEqual(Object.fromEntries(reach));
      expect(new Set(scan.notApplied.map(({ relPath, reason }) => `${reason} ${relPath}`))).toEqual(notApplied);
      expect(
        [...told].filter((said) => !scan.diagnostics.some(({ code, path }) => `${code} ${path}` === said)),
      ).toEqual([]);
    }),
  );
});
