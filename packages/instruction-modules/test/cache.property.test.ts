import { anyEdit, anyTouches, anyTree, RULES, TREE_CAP } from '@codicil/arbitraries/trees';
import { createMemorySource, type MemorySource, type TreeEdit } from '@codicil/file-source';
import { createInstructionResolver, defaultLayout, type InstructionResolver } from '@codicil/instruction-modules';
import { parseProjectPath } from '@codicil/project-path';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const layout = { ...defaultLayout, maxFileBytes: TREE_CAP, maxEntries: 6 };
/** Milliseconds of a tick: several edits fall into one. */
const TICK = 10;

/** Touches that match most globs of random rules. */
const WIDE = ['a.ts', 'src/a.ts', 'src/api/v1/a.ts', 'docs/x', '[id]/x', 'x/.dot/y'];

/** Edits among few rules and few texts: globs that change, bodies that repeat, rules that turn from one kind into another. */
const anyRuleEdit: fc.Arbitrary<TreeEdit> = fc.record({
  kind: fc.constant('write' as const),
  path: fc.constantFrom('a', 'b', 'sub/a').map((name) => `${RULES}/${name}.md`),
  text: fc
    .tuple(
      fc.constantFrom('', '---\npaths: ["*.ts"]\n---\n', '---\npaths: ["src/**"]\n---\n'),
      fc.constantFrom('1\n', '2\n'),
    )
    .map(([head, body]) => head + body),
});

/** The model is a resolver that remembers nothing. */
interface Model {
  readonly touches: readonly string[];
}

interface Real {
  readonly source: MemorySource;
  readonly resolver: InstructionResolver;
}

type Step = fc.AsyncCommand<Model, Real>;

/** Both answer the same, diagnostics and all; what was ever delivered stands the same. */
async function compare({ touches }: Model, { source, resolver }: Real): Promise<void> {
  const plain = createInstructionResolver(source, { layout, cache: false });
  expect(await resolver.forPaths(touches)).toEqual(await plain.forPaths(touches));
  expect(await resolver.startup()).toEqual(await plain.startup());
  expect(await resolver.explain(touches)).toEqual(await plain.explain(touches));
}

function step(name: string, act: (real: Real, model: Model) => Promise<void> | void): Step {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await act(real, model);
      await compare(model, real);
    },
  };
}

const edited = (edit: TreeEdit): Step => step(JSON.stringify(edit), ({ source }) => source.tree.apply(edit));

/** Applies the edit while a call of the remembering resolver reads its first file. */
const editedDuring = (edit: TreeEdit): Step =>
  step(`during a read ${JSON.stringify(edit)}`, async ({ source, resolver }, { touches }) => {
    let isPending = true;
    const act = (): void => {
      if (isPending) source.tree.apply(edit);
      isPending = false;
    };
    source.faults.duringReads(1, act);
    await Promise.all([resolver.startup(), resolver.forPaths(touches)]);
    act();
  });

const passed = (milliseconds: number): Step =>
  step(`${milliseconds} ms pass`, ({ source }) => source.tree.touchClock(milliseconds));

/** A fault hits the remembering resolver alone, and leaves nothing behind. */
const failed = (what: 'read' | 'list'): Step =>
  step(`a ${what} fails`, async ({ source, resolver }, { touches }) => {
    const root = parseProjectPath('');
    if (root === undefined) throw new Error('the root is a project path');
    if (what === 'read') source.faults.failReads(1);
    else source.faults.failLists(1);
    await resolver.startup();
    await resolver.forPaths(touches);
    // Where nothing was read or listed, the fault is still there.
    await source.read(root, { maxBytes: 1, links: 'inside' });
    await source.list(root, { maxEntries: 1 });
  });

const vanished: Step = step('the root goes away and comes back', async (real, model) => {
  real.source.faults.vanish();
  await compare(model, real);
  real.source.faults.reappear();
});

test('R5 cached ≡ uncached under any interleaving of edits, renames, deletes, permission changes and faults', async () => {
  const anyRun = anyTree({ rights: true }).chain((tree) => {
    const edit = anyEdit(tree, { rights: true });
    const steps = fc.commands(
      [
        edit.map(edited),
        edit.map(edited),
        anyRuleEdit.map(edited),
        anyRuleEdit.map(edited),
        fc.oneof(edit, anyRuleEdit).map(editedDuring),
        fc.constantFrom(1, TICK, 3 * TICK).map(passed),
        fc.constantFrom('read' as const, 'list' as const).map(failed),
        fc.constant(vanished),
      ],
      { maxCommands: 15 },
    );
    return fc.record({
      tree: fc.constant(tree),
      touches: anyTouches(tree).map((touches) => [...touches, ...WIDE]),
      steps,
      granularity: fc.constantFrom(undefined, TICK),
    });
  });
  await fc.assert(
    fc.asyncProperty(anyRun, async ({ tree, touches, steps, granularity }) => {
      const source = createMemorySource(tree, { granularity });
      const resolver = createInstructionResolver(source, { layout });
      await compare({ touches }, { source, resolver });
      await fc.asyncModelRun(() => ({ model: { touches }, real: { source, resolver } }), steps);
    }),
  );
});
