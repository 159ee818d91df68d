import { createMemorySource, type MemoryOptions } from '@codicil/file-source';
import { fileSourceConformance, type MakeSource, type Skip, selectCases } from '@codicil/file-source/conformance';
import { describe, expect, test } from 'vitest';

function makeMemory(options: MemoryOptions): MakeSource {
  return async (tree, o) => {
    const source = createMemorySource(tree, { ...options, openedThrough: o?.openedThrough });
    return {
      source,
      edit: async (change) => source.tree.apply(change),
      at: (path) => source.tree.at(path),
      settle: async () => source.tree.touchClock(2 * (options.granularity ?? 0)),
      dispose: async () => {},
    };
  };
}

const windows: readonly Skip[] = [
  { reason: 'a backslash separates names on Windows', tests: ['a backslash is a character of a POSIX name'] },
];

const worlds: readonly (readonly [string, MemoryOptions, readonly Skip[]])[] = [
  ['a POSIX world', {}, []],
  ['a world that reads byte by byte', { portion: 1 }, []],
  ['a world with a coarse clock', { granularity: 1_000 }, []],
  ['a world that ignores case', { ignoresCase: true }, []],
  ['a Windows world', { platform: 'win32' }, windows],
];

for (const [name, options, skips] of worlds) {
  describe(name, () => {
    test.each(selectCases(skips).map((one) => [one.name, one] as const))('%s', async (_, one) => {
      await one.run(makeMemory(options));
    });
  });
}

test('every conformance case has a name of its own', () => {
  expect(new Set(fileSourceConformance.map(({ name }) => name)).size).toBe(fileSourceConformance.length);
});

test('a skip without a reason, of an unknown case or of one case twice is an error', () => {
  const [one] = fileSourceConformance;
  const tests = one === undefined ? [] : [one.name];
  expect(() => selectCases([{ reason: ' ', tests }])).toThrow(TypeError);
  expect(() => selectCases([{ reason: 'no such case', tests: ['nothing of the kind'] }])).toThrow(TypeError);
  expect(() => selectCases([{ reason: 'twice', tests: [...tests, ...tests] }])).toThrow(TypeError);
  expect(selectCases([{ reason: 'a reason', tests }])).toHaveLength(fileSourceConformance.length - 1);
});
