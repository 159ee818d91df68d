import { expect, test } from 'vitest';

test('the package exports these names', async () => {
  expect(Object.keys(await import('@codicil/glob-select')).sort()).toEqual([
    'MAX_GLOB_LENGTH',
    'createSelector',
    'matchesGlob',
    'nearMiss',
    'parseGlob',
  ]);
});
