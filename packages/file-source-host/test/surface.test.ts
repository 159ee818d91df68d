import { expect, test } from 'vitest';

test('the names that the package exports', async () => {
  expect(Object.keys(await import('@codicil/file-source-host')).sort()).toEqual([
    'HostSourceError',
    'createHostSource',
    'nodeDisk',
  ]);
});
