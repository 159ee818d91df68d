import { selectCases } from '@codicil/file-source/conformance';
import { describe, expect, test } from 'vitest';
import { runAsNobody } from './fixtures/as-nobody.ts';
import { makeHost } from './fixtures/made-tree.ts';

const needRights = [
  'an unreadable file is unavailable, never absent',
  'a file in an unsearchable folder is unavailable, there or not',
  'a candidate that cannot be read decides',
  'a folder that cannot be read is unavailable, never absent or empty',
];

const ways: readonly (readonly [string, boolean])[] = [
  ['folders held by descriptors', true],
  ['folders proved by their real path', false],
];

for (const [name, descriptors] of ways) {
  describe(name, () => {
    const cases = selectCases([{ reason: 'run by a user whom rights bind, below', tests: needRights }]);
    test.each(cases.map((one) => [one.name, one] as const))('%s', async (_, one) => {
      await one.run(makeHost({ descriptors }));
    });
  });
}

test('the cases about rights hold for a user whom rights bind', async () => {
  expect(await runAsNobody(needRights)).toEqual(needRights.map((name) => [name, 'holds']));
});
