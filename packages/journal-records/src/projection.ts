import type { EntryId, Sha256 } from './entry.ts';

/**
 * What the active branch says, folded entry by entry. Immutable; `advance` gives the next one. Durable journals keep checkpoints of it.
 */
export interface Projection {
  readonly leaf: EntryId | null;
  /** The depth of the leaf; -1 when there is none. */
  readonly depth: number;
  /** Entries at this depth and above it (older) are out of the context: compacted or cleared. -1 when none is. Never falls. */
  readonly floor: number;
  /** The startup set by path. It counts as active whatever the floor. */
  readonly startup: ReadonlyMap<string, Sha256>;
  /** Whether a startup record stands on the branch (its set may be empty). */
  readonly started: boolean;
  /** The latest record of each path above the floor; a tombstone has `sha256: null`. Ask {@link activeVersion}. */
  readonly delivered: ReadonlyMap<string, DeliveredVersion>;
  /** Touches recorded after the last assistant message, each once, in order; and those that it carried over. */
  readonly pendingTouches: readonly string[];
  /** Calls of the last assistant message without a result yet, in order. Nothing may be put in between. */
  readonly openToolCalls: readonly string[];
}

export interface DeliveredVersion {
  readonly sha256: Sha256 | null;
  readonly entryId: EntryId;
  readonly depth: number;
}

export const emptyProjection: Projection = {
  leaf: null,
  depth: -1,
  floor: -1,
  startup: new Map(),
  started: false,
  delivered: new Map(),
  pendingTouches: [],
  openToolCalls: [],
};

/** The hash of the version of a path that the model can see; `undefined` when it sees none. */
export function activeVersion(projection: Projection, relPath: string): Sha256 | undefined {
  const delivered = projection.delivered.get(relPath);
  if (delivered !== undefined) return delivered.sha256 ?? undefined;
  return projection.startup.get(relPath);
}
