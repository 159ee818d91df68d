import type { EntryId, SessionId } from './entry.ts';
import type { StoreProblem } from './journal.ts';

/** An entry as it is kept. What it means is none of a store's business: `body` is opaque to it, and given back to the letter. */
export interface StoredEntry {
  readonly id: EntryId;
  readonly parentId: EntryId | null;
  /** The number of entries before it on its branch. */
  readonly depth: number;
  /** Text in which every UTF-16 unit counts; never a line break among them. */
  readonly body: string;
  /** What was kept for this entry by {@link JournalStore.keep}, if the store still has it. */
  readonly snapshot?: string | undefined;
}

/** Where a session stands. */
export interface StoredHead {
  readonly leaf: EntryId | null;
  /** Entries of the session's own, those that it inherited left out. */
  readonly entries: number;
  readonly forkedFrom: { readonly sessionId: SessionId; readonly at: EntryId | null } | null;
}

/** One entry to be written, decided by `planAppend` upon a leaf. */
export interface AppendPlan {
  /** The leaf that it was decided upon; `null` for the first entry of a session that has none. */
  readonly expectedLeaf: EntryId | null;
  readonly stored: StoredEntry;
}

export type CommitOutcome =
  /** Durable: no crash loses it. */
  | { readonly kind: 'committed' }
  /** The leaf is another one by now; nothing came in. */
  | { readonly kind: 'conflict' };

export type Scanned =
  | { readonly kind: 'entry'; readonly stored: StoredEntry }
  /** A place that cannot be read, where something had been acknowledged. What follows it is still given. */
  | { readonly kind: 'damage'; readonly message: string }
  /** A write that was cut off and never acknowledged; it was closed and is passed over from now on. */
  | { readonly kind: 'torn'; readonly message: string };

/**
 * What keeps the entries of sessions, and decides nothing. `openJournal` makes a `Journal` of it. Any number of processes may use one store at the same time.
 *
 * A method may reject with any error: the journal gives it a code and keeps it as the cause. A `JournalError` goes through as it is.
 */
export interface JournalStore {
  /** Where the session stands now, whoever wrote last; `undefined` when there is no such session. */
  head(session: SessionId): Promise<StoredHead | undefined>;
  /** The entry of that id, of the session itself or of those that it was forked from; `undefined` when none has it. */
  entry(session: SessionId, id: EntryId): Promise<StoredEntry | undefined>;
  /**
   * The entries from one on towards the first, newest first, through the sessions that this one was forked from, until one at `downTo` or less was given. Rejects with
   * `journal_corrupt` where one is missing.
   */
  branch(session: SessionId, o: { readonly from: EntryId; readonly downTo: number }): AsyncIterable<StoredEntry>;
  /**
   * Writes the entry if the leaf is the expected one, in one step that no other process gets into, and makes it the leaf. The session comes into being with its first
   * entry. Calls that are made one right after the other take effect in that order. Rejects with `journal_sync_failed` where it was written and may yet be lost.
   */
  commit(session: SessionId, plan: AppendPlan): Promise<CommitOutcome>;
  /** Makes a session without an entry of its own; `exists` when there is one of that name. */
  fork(from: SessionId, at: EntryId | null, to: SessionId): Promise<'forked' | 'exists'>;
  /** In any order. */
  sessions(): Promise<readonly SessionId[]>;
  /** A text to be given back beside an entry when a branch is read. A shortcut: losing it loses nothing. */
  keep(session: SessionId, id: EntryId, snapshot: string): Promise<void>;
  /** Every entry of the session's own as it was stored, oldest first, on all its branches. */
  scan(session: SessionId): AsyncIterable<Scanned>;
  /** What is wrong with the store itself, apart from any entry. */
  verify(): Promise<readonly StoreProblem[]>;
  close(): Promise<void>;
}
