import { expect, test } from 'vitest';

test('the package exports these names', async () => {
  expect(Object.keys(await import('@codicil/delegation-scope')).sort()).toEqual(['MAX_CHAIN', 'proveScope']);
});
