import { expect, test } from 'vitest';

test('the package exports these names and no others', async () => {
  expect(Object.keys(await import('@codicil/project-path')).sort()).toEqual([
    'ROOT',
    'baseName',
    'compareCodePoints',
    'depthOf',
    'foldersAbove',
    'isInside',
    'joinPath',
    'parentOf',
    'parseProjectPath',
    'within',
  ]);
});
