import { journalConformance } from '@codicil/journal-records/conformance';
import { test } from 'vitest';
import { fileStore } from './store.ts';

for (const { name, run } of journalConformance) {
  test(`sqlite: ${name}`, () => run(async () => fileStore()));
}
