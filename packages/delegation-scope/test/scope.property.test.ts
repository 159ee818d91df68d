import type { SessionRow } from '@codicil/delegation-scope';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyAccount, anyForest, anyRow, type Forest, judge } from './forest.ts';

/** The rows from `s0` to the root, as far as they go; `undefined` when they never end. */
function chainOf(forest: Forest): readonly (SessionRow | undefined)[] | undefined {
  const rows: (SessionRow | undefined)[] = [];
  for (let id: string | null = 's0'; id !== null; ) {
    const row: SessionRow | undefined = forest.get(id);
    rows.push(row);
    if (row === undefined) return rows;
    if (rows.length > forest.size) return undefined;
    id = row.parentId;
  }
  return rows;
}

test('D1 scope is granted only if the whole parent chain is there, is the account’s, and ends in its own conversation', async () => {
  await fc.assert(
    fc.asyncProperty(anyForest(), anyAccount(), async (forest, account) => {
      const { scope } = await judge(forest, account);
      const chain = chainOf(forest) ?? [undefined];
      const root = chain.at(-1);
      const isOwn = chain.every((row) => row?.accountId === account.id);
      const isFormed =
        chain.every((row) => (row?.kind === 'conversation' ? row.parentId === null : true)) &&
        !['subagent', 'fork'].includes(root?.kind ?? '');
      const isWhole = isOwn && isFormed;
      if (account.kind === 'administrator') {
        const isGranted = isWhole && root?.kind === 'conversation' && chain.every((row) => row?.kind !== 'shared');
        expect(scope.kind).toBe(isGranted ? 'granted' : 'refused');
      } else if (account.kind === 'chatbot') {
        expect(scope.kind).toBe(isWhole && chain[0]?.projectId === 'p' ? 'granted' : 'refused');
      } else expect(scope.kind).toBe('refused');
      if (scope.kind === 'granted') expect(scope).toMatchObject({ root: root?.id, chain: chain.map((row) => row?.id) });
    }),
    { numRuns: 2_000 },
  );
});

test('D2 rows that are not on the chain never change the verdict, and are never read', async () => {
  const noise = fc.array(anyRow(), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyForest(), anyAccount(), noise, async (forest, account, rows) => {
      const { scope, asked } = await judge(forest, account);
      const onChain = new Set((chainOf(forest) ?? [...forest.values()]).flatMap((row) => row?.id ?? []));
      const changed = new Map(forest);
      for (const row of rows) if (!asked.includes(row.id)) changed.set(row.id, row);
      const again = await judge(changed, account);
      expect(again.scope).toEqual(scope);
      expect(again.asked).toEqual(asked);
      expect(new Set(asked).size).toBe(asked.length);
      for (const id of asked) expect(onChain.has(id) || !forest.has(id)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
