import { expect, test } from 'vitest';

test('the package exports these names', async () => {
  expect(Object.keys(await import('@codicil/project-scan')).sort()).toEqual([
    'inOrder',
    'judgeProject',
    'listProject',
    'scanProject',
  ]);
});
