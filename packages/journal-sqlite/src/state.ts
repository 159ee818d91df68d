import {
  type EntryId,
  emptyProjection,
  JournalError,
  type Projection,
  type SessionId,
  type Sha256,
} from '@codicil/journal-records';
import type { Rows, Seq, SessionRow } from './rows.ts';

/** The projection at the leaf of a session, read from its rows: no entry is looked at. */
export function restoreState(rows: Rows, row: SessionRow | undefined): Projection {
  if (row === undefined || row.leaf_id === null) return emptyProjection;
  const modules = rows.startup(row.id);
  const { pendingTouches, openToolCalls } = parse(row.state, row.id) as Pick<
    Projection,
    'pendingTouches' | 'openToolCalls'
  >;
  return {
    leaf: row.leaf_id,
    depth: row.depth,
    floor: row.floor,
    startup: new Map(modules === undefined ? [] : (parse(modules, row.id) as [string, Sha256][])),
    started: modules !== undefined,
    delivered: new Map(
      rows
        .active(row.id)
        .map(({ path, sha256, entry, depth }) => [path, { sha256: sha256 as Sha256 | null, entryId: entry, depth }]),
    ),
    pendingTouches,
    openToolCalls,
  };
}

function parse(json: string, session: SessionId): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new JournalError('journal_corrupt', `the state of session ${session} is damaged`, { cause });
  }
}

export interface StateChange {
  readonly session: SessionId;
  /** What the rows say now. */
  readonly stored: Projection;
  readonly next: Projection;
  /** Where the entry of `next.leaf` is stored. */
  readonly leaf: Seq | null;
  /** The number of entries of the session's own, with the new one. */
  readonly entries: number;
  readonly fork: { readonly from: SessionId; readonly at: Seq | null } | undefined;
}

/** Makes the rows say what `next` says, by writing what differs: the same for an append, a compaction, another branch and a fork. */
export function saveState(rows: Rows, { session, stored, next, leaf, entries, fork }: StateChange): void {
  if (next.startup !== stored.startup || next.started !== stored.started) {
    if (next.started) rows.saveStartup(session, JSON.stringify([...next.startup]));
    else rows.deleteStartup(session);
  }
  if (next.delivered !== stored.delivered) {
    for (const path of stored.delivered.keys()) if (!next.delivered.has(path)) rows.deleteActive(session, path);
    for (const [path, { sha256, entryId, depth }] of next.delivered) {
      // An entry says one thing about a path, so the same entry is the same row.
      if (stored.delivered.get(path)?.entryId === entryId) continue;
      rows.saveActive(session, { path, sha256, entry: entryId, depth });
    }
  }
  const { pendingTouches, openToolCalls } = next;
  rows.saveSession({
    id: session,
    entries,
    leaf,
    leaf_id: next.leaf as EntryId | null,
    depth: next.depth,
    floor: next.floor,
    state: JSON.stringify({ pendingTouches, openToolCalls }),
    forked_from: fork?.from ?? null,
    forked_at: fork?.at ?? null,
  });
}
