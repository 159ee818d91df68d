import { createInstructionResolver } from '@codicil/instruction-modules';
import { expect, test } from 'vitest';
import { files, pathsOf, projectOf, rule, told } from './over.ts';

const manyRules = files(
  Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`.elowen/rules/${index}.md`, rule([`d${index}/**`], `${index}\n`)]),
  ),
);

test('when nothing changed, nothing is listed and only what is delivered is read', async () => {
  const { resolver, source } = projectOf(manyRules);
  await resolver.startup();
  const before = { ...source.counts };
  expect(pathsOf(await resolver.forPaths(['d3/x']))).toEqual(['.elowen/rules/3.md']);
  expect(source.counts.lists - before.lists).toBe(0);
  // Five candidate names in the touched folder, and the rule itself.
  expect(source.counts.reads - before.reads).toBe(6);
});

test('after an edit the edited rule alone is read again', async () => {
  const { resolver, source } = projectOf(manyRules);
  await resolver.startup();
  source.tree.write('.elowen/rules/4.md', rule(['top'], 'other\n'));
  const before = { ...source.counts };
  expect(pathsOf(await resolver.forPaths(['top']))).toEqual(['.elowen/rules/4.md']);
  expect(source.counts.lists - before.lists).toBe(0);
  expect(source.counts.reads - before.reads).toBe(2);
});

test('an edit of the same length within a tick of the clock is seen', async () => {
  const { resolver, source } = projectOf(files({ '.elowen/rules/a.md': rule(['**'], 'one\n') }), {
    memory: { granularity: 1_000 },
  });
  source.tree.write('.elowen/rules/a.md', rule(['**'], 'two\n'));
  expect((await resolver.forPaths(['x'])).modules[0]?.content).toBe('two\n');
  source.tree.write('.elowen/rules/a.md', rule(['no'], 'one\n'));
  expect(pathsOf(await resolver.forPaths(['x']))).toEqual([]);
  source.tree.write('.elowen/rules/a.md', rule(['**'], 'two\n'));
  expect((await resolver.forPaths(['x'])).modules[0]?.content).toBe('two\n');
});

test('what is sent is what was read last, whatever the index said', async () => {
  const { resolver, source } = projectOf(
    files({ '.elowen/rules/a.md': rule(['**'], 'old\n'), '.elowen/rules/b.md': rule(['**'], 'b\n') }),
  );
  await resolver.startup();
  const other = (globs: readonly string[]): void => source.tree.write('.elowen/rules/b.md', rule(globs, 'new\n'));
  source.faults.duringReads(1, () => other(['x*']), '.elowen/rules/a.md');
  expect((await resolver.forPaths(['x'])).modules.map(({ content }) => content)).toEqual(['old\n', 'new\n']);
  source.faults.duringReads(1, () => other(['elsewhere']), '.elowen/rules/a.md');
  expect((await resolver.forPaths(['x'])).modules.map(({ content }) => content)).toEqual(['old\n']);
});

test('a listing that fails gives diagnostics and no rules, and is asked again', async () => {
  const { resolver, source } = projectOf(files({ '.elowen/rules/a.md': 'a' }));
  source.faults.failLists(1);
  const failed = await resolver.startup();
  expect(pathsOf(failed)).toEqual([]);
  expect(told(failed)).toEqual(['file_unreadable .elowen/rules']);
  expect(pathsOf(await resolver.startup())).toEqual(['.elowen/rules/a.md']);
});

test('a read that fails, a link and a refusal are asked again every time', async () => {
  const { resolver, source } = projectOf([
    ...files({ 's/t.md': rule(['a'], 't\n'), '.elowen/rules/r.md': 'r' }),
    { path: '.elowen/rules/l.md', symlink: '../../s/t.md' },
  ]);
  source.faults.failReads(1, '.elowen/rules/r.md');
  expect(pathsOf(await resolver.startup())).toEqual([]);
  expect(pathsOf(await resolver.startup())).toEqual(['.elowen/rules/r.md']);
  source.tree.write('s/t.md', 't\n');
  expect(pathsOf(await resolver.startup())).toEqual(['.elowen/rules/l.md', '.elowen/rules/r.md']);
});

test('calls that overlap an edit answer as of some moment, and the next one as of now', async () => {
  const { resolver, source } = projectOf(files({ '.elowen/rules/a.md': 'one\n' }));
  await resolver.startup();
  const release = source.faults.hold();
  const [first, second] = [resolver.startup(), resolver.forPaths(['x'])];
  source.tree.write('.elowen/rules/a.md', rule(['**'], 'two\n'));
  release();
  expect(pathsOf(await first)).toEqual([]);
  expect(pathsOf(await second)).toEqual(['.elowen/rules/a.md']);
});

test.for(['startup', 'forPaths', 'explain', 'status'] as const)(
  '%s rejects with the reason of its signal, before and in the midst',
  async (method) => {
    const { resolver, source } = projectOf(manyRules);
    const reason = new Error('enough');
    const call = (signal: AbortSignal): Promise<unknown> =>
      method === 'startup' ? resolver.startup({ signal }) : resolver[method](['.elowen/rules/1.md'], { signal });
    await expect(call(AbortSignal.abort(reason))).rejects.toBe(reason);
    const release = source.faults.hold();
    const controller = new AbortController();
    const pending = call(controller.signal);
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    release();
    await expect(call(new AbortController().signal)).resolves.toBeDefined();
  },
);

test('a resolver without a cache reads everything each time', async () => {
  const { source } = projectOf(manyRules);
  const resolver = createInstructionResolver(source, { cache: false });
  await resolver.startup();
  const before = source.counts.lists;
  await resolver.startup();
  expect(source.counts.lists - before).toBe(1);
});

test('ten thousand rules leave the event loop its turns', async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`.elowen/rules/${index}.md`, rule([`d${index}/**`], `${index}\n`)]),
  );
  const { resolver } = projectOf(files(texts));
  let turns = 0;
  let running = true;
  const count = (): void => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await resolver.forPaths(['d9999/x']);
  running = false;
  expect(turns).toBeGreaterThan(5);
});
