import { expect, test } from 'vitest';

test('the package exports these names', async () => {
  expect(Object.keys(await import('@codicil/frontmatter')).sort()).toEqual([
    'DEFAULT_MAX_BLOCK_BYTES',
    'byteOrderMarkLength',
    'checkText',
    'parseFrontmatter',
    'readPlainFrontmatter',
    'splitFrontmatter',
  ]);
});
