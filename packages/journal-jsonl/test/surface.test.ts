import { expect, test } from 'vitest';

test('the package exports these names', async () => {
  expect(Object.keys(await import('@codicil/journal-jsonl'))).toEqual(['openJsonlJournal']);
});
