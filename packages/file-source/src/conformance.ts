import type { ConformanceCase } from './conformance/case.ts';
import { changingCases } from './conformance/changing.ts';
import { linkingCases } from './conformance/linking.ts';
import { listingCases } from './conformance/listing.ts';
import { locatingCases } from './conformance/locating.ts';
import { readingCases } from './conformance/reading.ts';
import { selectingCases } from './conformance/selecting.ts';
import { stoppingCases } from './conformance/stopping.ts';

export type { ConformanceCase, MakeOptions, MakeSource, SourceUnderTest } from './conformance/case.ts';

/** What every source must do (S1 to S3), as cases for any test runner. */
export const fileSourceConformance: readonly ConformanceCase[] = [
  ...readingCases,
  ...selectingCases,
  ...linkingCases,
  ...listingCases,
  ...changingCases,
  ...locatingCases,
  ...stoppingCases,
];

/** Cases that a source cannot run, and why. */
export interface Skip {
  readonly reason: string;
  readonly tests: readonly string[];
}

/** The cases to run. Throws a `TypeError` for a skip without a reason, and for one that names no case or a case twice. */
export function selectCases(skips: readonly Skip[]): readonly ConformanceCase[] {
  const names = new Set(fileSourceConformance.map(({ name }) => name));
  const skipped = new Set<string>();
  for (const { reason, tests } of skips) {
    if (reason.trim() === '') throw new TypeError(`a skip needs a reason: ${tests.join(', ')}`);
    for (const name of tests) {
      if (!names.has(name)) throw new TypeError(`there is no conformance case "${name}"`);
      if (skipped.has(name)) throw new TypeError(`the conformance case "${name}" is skipped twice`);
      skipped.add(name);
    }
  }
  return fileSourceConformance.filter(({ name }) => !skipped.has(name));
}
