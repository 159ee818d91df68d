declare const brand: unique symbol;

/** The identity of an entry, unique in its journal. */
export type EntryId = string & { readonly [brand]: 'EntryId' };
/** The identity of a session, chosen by the host: 1 to 200 characters of `A-Z a-z 0-9 . _ -`, not beginning with a dot. */
export type SessionId = string & { readonly [brand]: 'SessionId' };
/** Lower-case hexadecimal SHA-256 over the UTF-8 of a module's content. */
export type Sha256 = string & { readonly [brand]: 'Sha256' };

/** What the journal adds to each draft. */
export interface EntryHead {
  /** Holds a hash over all the rest of the entry, its `parentId` included: see `sealEntry`. */
  readonly id: EntryId;
  /** The entry before it on its branch; `null` for the first. May lie in the session that this one was forked from. */
  readonly parentId: EntryId | null;
  readonly sessionId: SessionId;
  /** The number of entries before it on its branch. */
  readonly depth: number;
  /** Milliseconds since 1970-01-01 UTC. For people: nothing is ordered by it. */
  readonly at: number;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface UserMessage {
  readonly kind: 'message';
  readonly role: 'user';
  readonly text: string;
}

export interface AssistantMessage {
  readonly kind: 'message';
  readonly role: 'assistant';
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolResultMessage {
  readonly kind: 'message';
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly text: string;
  readonly isError: boolean;
  /** `fileAccess` is the trigger: the tool read, wrote or edited that file. Refusals and errors carry none. */
  readonly details: ToolResultDetails | undefined;
}

export interface ToolResultDetails {
  readonly fileAccess?: { readonly path: string } | undefined;
  readonly [field: string]: unknown;
}

/** The startup set as it was read when the session began. It leads every request and outlives every compaction. */
export interface StartupRecord {
  readonly kind: 'startup';
  readonly text: string;
  readonly modules: readonly { readonly relPath: string; readonly sha256: Sha256 }[];
  /** What could not be read then, and may belong to the set: a later record brings it. Left out: nothing. */
  readonly unavailable?: readonly string[] | undefined;
}

/** One delivery. */
export interface InstructionsRecord {
  readonly kind: 'turn-context';
  readonly context: 'instructions';
  readonly placement: 'after-message';
  readonly text: string;
  readonly details: {
    readonly instructions: readonly DeliveredInstruction[];
    /** Tombstones: what no longer applies, and what stands in its place. */
    readonly removed: readonly { readonly relPath: string; readonly successor: string | null }[];
    /** The touches that this delivery settles: they no longer wait. Left out: none. */
    readonly settles?: readonly string[] | undefined;
    /** `true`: handed to a host that has yet to say whether the model got it. A {@link ClaimRecord} follows. */
    readonly isClaim?: boolean | undefined;
  };
}

export interface DeliveredInstruction {
  readonly relPath: string;
  readonly sha256: Sha256;
  /** The hash of the active version that this one replaces; `null` when none was active. */
  readonly supersedes: Sha256 | null;
}

/** Files that were touched, by whatever did not record a tool result. */
export interface TouchRecord {
  readonly kind: 'touch';
  readonly paths: readonly string[];
}

/** Touches that wait no longer, though neither a delivery nor a request says so: they were looked at, and called for nothing. */
export interface SettleRecord {
  readonly kind: 'settle';
  readonly paths: readonly string[];
}

/** What became of a claimed delivery: `confirmed`, it is in the context for good; `given-back`, the model never got it. */
export interface ClaimRecord {
  readonly kind: 'claim';
  readonly delivery: EntryId;
  readonly outcome: 'confirmed' | 'given-back';
}

/** A request was composed of everything before it and goes to the model. */
export interface RequestRecord {
  readonly kind: 'request';
  /** Counts from 1 along the branch. */
  readonly number: number;
  /** SHA-256 of the request, as whoever composed it takes it. */
  readonly digest: Sha256;
  /** The touches that were looked at before it and called for no record. */
  readonly settles: readonly string[];
}

/** Turn context of another kind: kept, and composed into requests, but never read here. */
export interface OtherContextRecord {
  readonly kind: 'turn-context';
  readonly context: 'other';
  readonly placement: 'after-message';
  readonly text: string;
  readonly details: unknown;
}

export interface CompactionRecord {
  readonly kind: 'compaction';
  readonly summary: string;
  /** The oldest entry that stays; `null` when nothing before the record does. */
  readonly keepFrom: { readonly id: EntryId; readonly depth: number } | null;
}

/** Everything before it on the branch is out of the context, the startup set excepted. */
export interface ContextClearedRecord {
  readonly kind: 'context-cleared';
}

/** Marks a branch that begins at an earlier entry: its `parentId` is where the conversation went back to. */
export interface RewindRecord {
  readonly kind: 'rewind';
}

/** A host's own record. Never composed into a request. */
export interface CustomRecord {
  readonly kind: 'custom';
  readonly name: string;
  readonly data: unknown;
}

/** A kind of a later version: kept as it is and passed over. */
export interface UnknownRecord {
  readonly kind: 'unknown';
  readonly originalKind: string;
  readonly data: unknown;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** What a host hands to `append`. */
export type Draft =
  | Message
  | StartupRecord
  | InstructionsRecord
  | OtherContextRecord
  | CompactionRecord
  | ContextClearedRecord
  | RewindRecord
  | TouchRecord
  | SettleRecord
  | ClaimRecord
  | RequestRecord
  | CustomRecord
  | UnknownRecord;

export type JournalEntry = EntryHead & Draft;
