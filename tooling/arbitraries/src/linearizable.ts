import type { AppendOutcome, EntryId } from '@codicil/journal-records';

/** One call among several that ran at the same time, and what it answered. */
export type Observed =
  | {
      readonly call: 'append';
      readonly expectedLeaf: EntryId | null | 'any';
      readonly parent: EntryId | null | undefined;
      readonly outcome: AppendOutcome;
    }
  | { readonly call: 'projection'; readonly leaf: EntryId | null };

/**
 * Whether the calls, made one after another in some order, would have given these answers, from one leaf to the other. Tries every order, so a
 * handful of calls is what it can take.
 */
export function isLinearizable(before: EntryId | null, calls: readonly Observed[], after: EntryId | null): boolean {
  if (calls.length === 0) return before === after;
  return calls.some((call, index) => {
    const next = leafAfter(before, call);
    return next !== 'impossible' && isLinearizable(next, calls.toSpliced(index, 1), after);
  });
}

function leafAfter(leaf: EntryId | null, observed: Observed): EntryId | null | 'impossible' {
  if (observed.call === 'projection') return observed.leaf === leaf ? leaf : 'impossible';
  const { expectedLeaf, parent, outcome } = observed;
  const isExpected = expectedLeaf === 'any' || expectedLeaf === leaf;
  if (outcome.kind === 'conflict') return !isExpected && outcome.leaf === leaf ? leaf : 'impossible';
  const continued = parent === undefined ? leaf : parent;
  return isExpected && outcome.entry.parentId === continued ? outcome.entry.id : 'impossible';
}
