import { childProgram } from '@codicil/arbitraries/child-program';
import { expect, test } from 'vitest';
import { type RaceResult, race, type races } from './fixtures/race.ts';

async function slice(name: keyof typeof races, adversary: string, tries: number): Promise<RaceResult> {
  return race(name, await childProgram('packages/file-source-host', `test/fixtures/${adversary}.ts`), { tries });
}

test('S1 another process that swaps links and rewrites files never gets a byte from outside or half a file through', async () => {
  const { violations, rounds, seen } = await slice('links', 'adversary', 2_000);
  expect(violations).toEqual([]);
  expect(rounds).toBeGreaterThan(10);
  expect(seen['swap/b.md file']).toBeGreaterThan(10);
});

test('S1 another process that exchanges the root gets neither a byte nor a name nor an absence of the other folder through', async () => {
  const { violations, rounds, tries, seen } = await slice('root', 'exchanger', 4_000);
  expect(violations).toEqual([]);
  expect(rounds).toBeGreaterThan(100);
  expect(tries).toBeGreaterThanOrEqual(4_000);
  expect(seen['d/a.md file']).toBeGreaterThan(10);
});

test('S2 another process that overwrites a large file by one write never gets half of it through', async () => {
  const { violations, rounds, seen } = await slice('write', 'writer', 40);
  expect(violations).toEqual([]);
  expect(rounds).toBeGreaterThan(10);
  expect(seen['large.md file']).toBeGreaterThan(2);
});
