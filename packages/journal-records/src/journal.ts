import type { Draft, EntryId, JournalEntry, SessionId } from './entry.ts';
import type { Projection } from './projection.ts';

export interface AppendOptions {
  /** The leaf that the caller decided upon; `'any'` appends after whatever is the leaf. */
  readonly expectedLeaf: EntryId | null | 'any';
  /** The entry to continue from when the branch goes back; the expected leaf when left out. An entry of the session's branches. */
  readonly parent?: EntryId | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type AppendOutcome =
  /** Durable: no crash loses it. `projection` is the state right after it. */
  | { readonly kind: 'appended'; readonly entry: JournalEntry; readonly projection: Projection }
  /** Nothing was written, someone was faster. Project again and decide again. */
  | { readonly kind: 'conflict'; readonly leaf: EntryId | null };

export interface SessionSummary {
  readonly id: SessionId;
  /** Its own, on all its branches. What it inherited belongs to the session that it was forked from. */
  readonly entries: number;
  /** For a fork without an entry of its own: where it was forked off. */
  readonly leaf: EntryId | null;
  readonly forkedFrom: { readonly sessionId: SessionId; readonly at: EntryId | null } | null;
}

export interface StoreProblem {
  readonly sessionId: SessionId | undefined;
  readonly kind: 'torn-tail' | 'corrupt';
  /** What was found, where, and what was done or can be done. */
  readonly message: string;
}

export interface VerifyReport {
  readonly sessions: number;
  readonly entries: number;
  /** A torn tail is mended (its bytes were never acknowledged) and told; corruption is told and left. */
  readonly problems: readonly StoreProblem[];
}

export interface BranchOptions {
  /** The entry to begin with, of the session's branches; the leaf when left out. */
  readonly from?: EntryId | undefined;
  /** The depth of the last entry to be given; 0, the first one, when left out. */
  readonly downTo?: number | undefined;
}

export interface SalvageReport {
  /** Entries in the new session. */
  readonly kept: number;
  /** Sound entries that are left out: on other branches, or cut off from the first entry by damage. */
  readonly left: number;
  /** What was found damaged, one message each. */
  readonly damage: readonly string[];
}

/**
 * An append-only tree of entries per session. Every method rejects with a {@link JournalError} alone, or with the signal's reason. A session
 * comes into being with its first entry.
 */
export interface Journal {
  append(sessionId: SessionId, draft: Draft, o: AppendOptions): Promise<AppendOutcome>;
  /** The state at the leaf, the same as having folded every entry of its branch. Empty for a session without entries. */
  projection(sessionId: SessionId): Promise<Projection>;
  /** The entries from the leaf (or from `from`) to the first one, or down to a depth, newest first, through the session it was forked from. */
  branch(sessionId: SessionId, o?: BranchOptions): AsyncIterable<JournalEntry>;
  /** A new session whose first entry will continue from an entry of another; `at: null` starts empty. The two share no future. */
  fork(from: SessionId, at: EntryId | null, to: SessionId): Promise<Projection>;
  /** In code-point order of their ids. */
  sessions(): Promise<readonly SessionSummary[]>;
  /** Reads the whole store: every entry against its id and its place, every session against its entries. */
  verify(): Promise<VerifyReport>;
  /**
   * Copies what is sound of a session into a new one: its longest branch of which no entry is damaged or missing, with new ids. The session itself
   * stays as it is. Rejects with `journal_unknown_session` and `journal_session_exists`.
   */
  salvage(from: SessionId, to: SessionId): Promise<SalvageReport>;
  close(): Promise<void>;
}

export type JournalErrorCode =
  /** The store is damaged in a place that was acknowledged. */
  | 'journal_corrupt'
  /** The store could not be read; nothing is said about what it holds. */
  | 'journal_read_failed'
  /** The write failed: the entry may or may not be there. Project again before the next attempt. */
  | 'journal_write_failed'
  /** The entry was written, and the disk did not confirm it: it may be lost yet. */
  | 'journal_sync_failed'
  /** An earlier append failed in a way that only a new opening of the journal can get over; the `cause` is that failure. */
  | 'journal_latched'
  | 'journal_unknown_session'
  | 'journal_unknown_entry'
  | 'journal_session_exists'
  | 'journal_invalid_draft'
  | 'journal_invalid_session_id'
  /** A store of a later version, or not a journal at all. */
  | 'journal_unknown_format'
  | 'journal_closed';

export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code: JournalErrorCode;
  constructor(code: JournalErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** True for a `JournalError` of any copy of this package. */
export function isJournalError(value: unknown): value is JournalError {
  return value instanceof Error && value.name === 'JournalError';
}
