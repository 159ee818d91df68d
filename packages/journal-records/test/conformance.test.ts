import { createMemoryJournal, createMemoryStore, type Journal } from '@codicil/journal-records';
import { journalConformance, selectCases } from '@codicil/journal-records/conformance';
import { expect, test } from 'vitest';

for (const { name, run } of journalConformance) {
  test(`memory: ${name}`, async () => {
    await run(async () => {
      const store = createMemoryStore();
      const opened: Journal[] = [];
      return {
        async open() {
          const journal = createMemoryJournal({ store });
          opened.push(journal);
          return journal;
        },
        async dispose() {
          for (const journal of opened) await journal.close();
        },
      };
    });
  });
}

test('a skip needs a reason and a case', () => {
  const [first] = journalConformance;
  const tests = [first?.name ?? ''];
  expect(selectCases([{ reason: 'the store cannot', tests }])).toHaveLength(journalConformance.length - 1);
  expect(() => selectCases([{ reason: ' ', tests }])).toThrow(TypeError);
  expect(() => selectCases([{ reason: 'gone', tests: ['no such case'] }])).toThrow(TypeError);
});

test('cases have distinct names', () => {
  expect(new Set(journalConformance.map(({ name }) => name)).size).toBe(journalConformance.length);
});
