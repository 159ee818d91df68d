import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJsonlJournal } from '@codicil/journal-jsonl';
import type { Journal } from '@codicil/journal-records';
import { selectCases } from '@codicil/journal-records/conformance';
import { test } from 'vitest';

for (const { name, run } of selectCases([])) {
  test(name, () =>
    run(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'codicil-jsonl-'));
      const opened: Journal[] = [];
      return {
        async open() {
          const journal = await openJsonlJournal(folder);
          opened.push(journal);
          return journal;
        },
        async dispose() {
          for (const journal of opened) await journal.close();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    }),
  );
}
