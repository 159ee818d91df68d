import { anyTouches, anyTree, CANDIDATE_NAMES, consistent, TREE_CAP } from '@codicil/arbitraries/trees';
import { createMemorySource } from '@codicil/file-source';
import {
  createInstructionResolver,
  defaultLayout,
  type InstructionResolver,
  type Resolution,
} from '@codicil/instruction-modules';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { files, pathsOf, projectOf, rule } from './over.ts';

const layout = { ...defaultLayout, maxFileBytes: TREE_CAP };

const anyFault = fc.record({
  kind: fc.constantFrom('read' as const, 'list' as const),
  after: fc.integer({ min: 0, max: 5 }),
});
/** There is always something to miss. */
const BASE = files({
  'AGENTS.md': 'root',
  'src/AGENTS.md': 'src',
  '.elowen/rules/a.md': 'a',
  '.elowen/rules/b.md': rule(['**']),
});

const anyProject = anyTree()
  .map((tree) => consistent([...BASE, ...tree]))
  .chain((tree) =>
    fc.record({
      tree: fc.constant(tree),
      touches: anyTouches(tree),
      fault: anyFault,
      call: fc.constantFrom('startup' as const, 'forPaths' as const),
      isWarm: fc.boolean(),
    }),
  );

/** Whether a place that could not be told accounts for a module that is missing: itself, a folder above, or a better name in its folder. */
function accountsFor(place: string, missing: string): boolean {
  const folder = missing.slice(0, missing.lastIndexOf('/') + 1);
  return (
    missing === place || missing.startsWith(`${place}/`) || CANDIDATE_NAMES.some((name) => folder + name === place)
  );
}

test('R7 what one failed read or listing leaves out of an answer is named as unavailable, and nothing is without one', async () => {
  await fc.assert(
    fc.asyncProperty(anyProject, async ({ tree, touches, fault, call, isWarm }) => {
      const source = createMemorySource(tree);
      let left = Number.POSITIVE_INFINITY;
      // Fails one operation, wherever in a call it comes.
      const fails = (kind: 'read' | 'list'): void => {
        if (kind !== fault.kind || left-- !== 0) return;
        if (kind === 'read') source.faults.failReads(1);
        else source.faults.failLists(1);
      };
      const failing = {
        ...source,
        read: (...args: Parameters<typeof source.read>) => {
          fails('read');
          return source.read(...args);
        },
        readMany: (...[paths, o]: Parameters<typeof source.readMany>) =>
          Promise.all(
            paths.map((path) => {
              fails('read');
              return source.read(path, o);
            }),
          ),
        readFirst: (...args: Parameters<typeof source.readFirst>) => {
          fails('read');
          return source.readFirst(...args);
        },
        list: (...args: Parameters<typeof source.list>) => {
          fails('list');
          return source.list(...args);
        },
      };
      const askOf = (resolver: InstructionResolver): Promise<Resolution> =>
        call === 'startup' ? resolver.startup() : resolver.forPaths(touches);
      const resolver = createInstructionResolver(failing, { layout });
      const ask = (): Promise<Resolution> => askOf(resolver);
      const whole = await askOf(createInstructionResolver(source, { layout }));
      expect(whole.unavailable).toEqual([]);
      if (isWarm) await ask();
      left = fault.after;
      const answer = await ask();
      left = Number.POSITIVE_INFINITY;
      for (const missing of pathsOf(whole).filter((path) => !pathsOf(answer).includes(path))) {
        expect([missing, answer.unavailable.some((place) => accountsFor(place, missing))]).toEqual([missing, true]);
      }
      const again = await ask();
      expect({ ...again, diagnostics: [] }).toEqual({ ...whole, diagnostics: [] });
    }),
  );
});

test('a root file whose first read fails is unavailable, not absent, and is there when asked again', async () => {
  const { source, resolver } = projectOf(files({ 'AGENTS.md': 'root\n', '.elowen/rules/a.md': rule(['x']) }));
  source.faults.failReads(1, 'AGENTS.md');
  const first = await resolver.startup();
  expect([pathsOf(first), first.unavailable]).toEqual([[], ['AGENTS.md']]);
  const second = await resolver.startup();
  expect([pathsOf(second), second.unavailable]).toEqual([['AGENTS.md'], []]);
  source.tree.remove('AGENTS.md');
  const third = await resolver.startup();
  expect([pathsOf(third), third.unavailable]).toEqual([[], []]);
});
