import { expect, test } from 'vitest';

test('the package exports these names', async () => {
  expect(Object.keys(await import('@codicil/file-source')).sort()).toEqual(['createMemorySource', 'sourceRefusals']);
});

test('the conformance suite exports these names', async () => {
  expect(Object.keys(await import('@codicil/file-source/conformance')).sort()).toEqual([
    'fileSourceConformance',
    'selectCases',
  ]);
});
