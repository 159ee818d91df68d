import { childProgram } from '@codicil/arbitraries/child-program';
import { expect, test } from 'vitest';
import { race } from './fixtures/race.ts';

test('another process that swaps links and rewrites files never gets a byte from outside or half a file through', async () => {
  const adversary = await childProgram('packages/file-source-host', 'test/fixtures/adversary.ts');
  const { violations, rounds, seen } = await race(adversary, 3);
  expect(violations).toEqual([]);
  expect(rounds).toBeGreaterThan(10);
  expect(seen['swap/b.md file']).toBeGreaterThan(10);
});
