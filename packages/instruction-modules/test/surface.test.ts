import { expect, test } from 'vitest';

test('the package exports these names and no others', async () => {
  expect(Object.keys(await import('@codicil/instruction-modules')).sort()).toEqual([
    'createInstructionResolver',
    'defaultLayout',
  ]);
});
