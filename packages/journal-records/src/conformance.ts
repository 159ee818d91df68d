import { appendCases } from './conformance/append.ts';
import type { ConformanceCase } from './conformance/case.ts';
import { concurrencyCases } from './conformance/concurrency.ts';
import { contentCases } from './conformance/content.ts';
import { contextCases } from './conformance/context.ts';
import { lifecycleCases } from './conformance/lifecycle.ts';
import { treeCases } from './conformance/tree.ts';

export type { ConformanceCase, JournalUnderTest, MakeJournal } from './conformance/case.ts';

/** What every journal must do. Each case makes its own journal, so they may run in any order and side by side. */
export const journalConformance: readonly ConformanceCase[] = [
  ...appendCases,
  ...treeCases,
  ...contextCases,
  ...contentCases,
  ...concurrencyCases,
  ...lifecycleCases,
];

/** Cases that a journal cannot pass, and why. */
export interface Skip {
  readonly reason: string;
  readonly tests: readonly string[];
}

/** The cases less the skipped ones. Throws a `TypeError` for a skip without a reason and for one that names no case. */
export function selectCases(skips: readonly Skip[]): readonly ConformanceCase[] {
  const skipped = new Set<string>();
  for (const { reason, tests } of skips) {
    if (reason.trim() === '') throw new TypeError(`a skip needs a reason: ${tests.join(', ')}`);
    for (const test of tests) {
      if (!journalConformance.some(({ name }) => name === test))
        throw new TypeError(`there is no case "${test}" to skip`);
      skipped.add(test);
    }
  }
  return journalConformance.filter(({ name }) => !skipped.has(name));
}
