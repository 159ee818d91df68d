import type { EntryHead, EntryId, Sha256, StartupRecord } from './entry.ts';

/**
 * What the active branch says, folded entry by entry, and all that the next request needs of what lies before the floor. Immutable; `advance`
 * gives the next one.
 */
export interface Projection {
  readonly leaf: EntryId | null;
  /** The depth of the leaf; -1 when there is none. */
  readonly depth: number;
  /** Entries at this depth and above it (older) are out of the context: compacted or cleared. -1 when none is. Never falls. */
  readonly floor: number;
  /** The record of the startup set; `undefined` while the branch has none. It leads every request, whatever the floor. */
  readonly startupEntry: (EntryHead & StartupRecord) | undefined;
  /** The startup set by path. It counts as active whatever the floor. */
  readonly startup: ReadonlyMap<string, Sha256>;
  /** The latest record of each path above the floor; a tombstone has `sha256: null`. Ask {@link activeVersion}. */
  readonly delivered: ReadonlyMap<string, DeliveredVersion>;
  /** Touches that no record has settled yet, each once, oldest first. */
  readonly pendingTouches: readonly string[];
  /** Claimed deliveries of which no one has said yet what became of them, oldest first. */
  readonly claims: ReadonlyMap<EntryId, OpenClaim>;
  /** Calls of the last assistant message without a result yet, in order. Nothing may be put in between. */
  readonly openToolCalls: readonly string[];
  /** The number of the last request; 0 before the first. */
  readonly requests: number;
}

export interface DeliveredVersion {
  readonly sha256: Sha256 | null;
  readonly entryId: EntryId;
  readonly depth: number;
}

/** A delivery that is in the context until its host gives it back. */
export interface OpenClaim {
  /** The touches that wait again when it is given back. */
  readonly settles: readonly string[];
  /** What was said of each of its paths before it; `null` for a path that no record was about. */
  readonly before: ReadonlyMap<string, DeliveredVersion | null>;
}

export const emptyProjection: Projection = {
  leaf: null,
  depth: -1,
  floor: -1,
  startupEntry: undefined,
  startup: new Map(),
  delivered: new Map(),
  pendingTouches: [],
  claims: new Map(),
  openToolCalls: [],
  requests: 0,
};

/** The hash of the version of a path that the model can see; `undefined` when it sees none. */
export function activeVersion(projection: Projection, relPath: string): Sha256 | undefined {
  const delivered = projection.delivered.get(relPath);
  if (delivered !== undefined) return delivered.sha256 ?? undefined;
  return projection.startup.get(relPath);
}
