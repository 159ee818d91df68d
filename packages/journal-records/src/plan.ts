import type { CompactionRecord, Draft, EntryId, JournalEntry, SessionId } from './entry.ts';
import { advance } from './fold.ts';
import { JournalError } from './journal.ts';
import type { Projection } from './projection.ts';
import { sealEntry } from './seal.ts';
import type { AppendPlan } from './store.ts';

/** Where an entry is to go, and what only the store can tell of that place. */
export interface Place {
  readonly sessionId: SessionId;
  /** The leaf of the session. */
  readonly leaf: EntryId | null;
  /** The state of the entry to continue from: the leaf's own unless the branch goes back. */
  readonly projection: Projection;
  /** The entry at the depth that a compaction names, on the branch of `projection`; `undefined` when it has none there. */
  readonly keptEntry: EntryId | undefined;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number;
}

export interface PlannedAppend {
  readonly plan: AppendPlan;
  readonly entry: JournalEntry;
  /** The state right after the entry. */
  readonly next: Projection;
}

/**
 * Decides what an append writes. The same place and draft give the same plan but for the random part of the id. Throws `journal_unknown_entry` for a compaction that keeps
 * from an entry which the branch has not, and `journal_invalid_draft` for a record that does not go with the branch.
 */
export function planAppend(place: Place, draft: Draft): PlannedAppend {
  const { sessionId, leaf, projection, at } = place;
  if (draft.kind === 'compaction') checkKept(draft, place);
  const head = { parentId: projection.leaf, sessionId, depth: projection.depth + 1, at: Math.trunc(at) };
  const { entry, stored } = sealEntry(head, draft);
  return { plan: { expectedLeaf: leaf, stored }, entry, next: advance(projection, entry) };
}

function checkKept({ keepFrom }: CompactionRecord, { keptEntry, projection }: Place): void {
  if (keepFrom === null || keptEntry === keepFrom.id) return;
  throw new JournalError(
    'journal_unknown_entry',
    `the branch of ${projection.leaf ?? 'an empty session'} has no entry ${keepFrom.id} at depth ${keepFrom.depth} to keep from`,
  );
}
