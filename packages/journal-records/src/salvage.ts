import type { Draft, EntryId, JournalEntry, SessionId } from './entry.ts';
import { isJournalError, JournalError } from './journal.ts';
import { unsealEntry } from './seal.ts';
import type { JournalStore } from './store.ts';

/** A record of the branch, to be appended after the one of that id. */
export type Replayed = (after: EntryId | null) => Draft;

export interface SoundBranch {
  /** Oldest first. */
  readonly branch: readonly Replayed[];
  readonly left: number;
  readonly damage: readonly string[];
}

/**
 * What a damaged session still holds: of all its entries whose whole past is sound, the last that was appended, with that past. A session that was forked brings
 * along what it inherited.
 */
export async function soundBranch(store: JournalStore, sessionId: SessionId): Promise<SoundBranch> {
  const sound = new Map<EntryId, JournalEntry>();
  const damage: string[] = [];
  let total = 0;
  for (const session of await lineOf(store, sessionId)) {
    for await (const scanned of store.scan(session)) {
      if (scanned.kind !== 'entry') {
        damage.push(scanned.message);
        continue;
      }
      total++;
      try {
        const entry = unsealEntry(scanned.stored);
        if (entry.parentId === null || sound.has(entry.parentId)) sound.set(entry.id, entry);
      } catch (error) {
        if (!isJournalError(error)) throw error;
        damage.push(error.message);
      }
    }
  }
  const branch: JournalEntry[] = [];
  for (let next = [...sound.values()].at(-1); next !== undefined; ) {
    branch.unshift(next);
    next = next.parentId === null ? undefined : sound.get(next.parentId);
  }
  return { branch: replayed(branch), left: total - branch.length, damage };
}

/** The session and those that it was forked from, the oldest first. */
async function lineOf(store: JournalStore, sessionId: SessionId): Promise<readonly SessionId[]> {
  const line: SessionId[] = [];
  for (let next: SessionId | undefined = sessionId; next !== undefined && !line.includes(next); ) {
    line.unshift(next);
    const head = await headOf(store, next);
    next = head?.forkedFrom?.sessionId;
  }
  return line;
}

async function headOf(store: JournalStore, sessionId: SessionId) {
  try {
    const head = await store.head(sessionId);
    if (head === undefined) throw new JournalError('journal_unknown_session', `there is no session ${sessionId}`);
    return head;
  } catch (error) {
    // A session that is damaged is what this is about: what it was forked from cannot be told then.
    if (isJournalError(error) && error.code === 'journal_corrupt') return undefined;
    throw error;
  }
}

/** Records name other entries by id, and each copy has another: what is named is found again by its place in the branch. */
function replayed(branch: readonly JournalEntry[]): readonly Replayed[] {
  const copies = new Map<EntryId, EntryId>();
  return branch.map((entry, index) => (after) => {
    const before = branch[index - 1];
    if (before !== undefined && after !== null) copies.set(before.id, after);
    const { id: _id, parentId: _parent, sessionId: _session, depth: _depth, at: _at, ...draft } = entry;
    if (draft.kind === 'claim') return { ...draft, delivery: copies.get(draft.delivery) ?? draft.delivery };
    if (draft.kind !== 'compaction' || draft.keepFrom === null) return draft;
    const { id, depth } = draft.keepFrom;
    return { ...draft, keepFrom: { id: copies.get(id) ?? id, depth } };
  });
}
