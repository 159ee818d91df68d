import {
  emptyProjection,
  type JournalEntry,
  JournalError,
  type Projection,
  type SessionId,
  type Sha256,
} from '@codicil/journal-records';
import type { Rows, Seq, SessionRow } from './rows.ts';

/** The projection at the leaf of a session, read from its rows: no entry is looked at. */
export function restoreState(rows: Rows, row: SessionRow | undefined): Projection {
  if (row === undefined) return emptyProjection;
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
  /** The session's row; `undefined` for a new session. */
  readonly row: SessionRow | undefined;
  /** What the rows say now. */
  readonly stored: Projection;
  readonly next: Projection;
  /** Where the entry of `next.leaf` is stored. */
  readonly leaf: Seq | null;
  /** The entry that was appended, when `next` is `stored` and that entry; `undefined` for another branch, whose every path may differ. */
  readonly appended: JournalEntry | undefined;
  /** Where a new session is forked off. */
  readonly fork: { readonly from: SessionId; readonly at: Seq | null } | undefined;
  /** The number of entries of the session's own, with the new one. */
  readonly entries: number;
}

/** Makes the rows say what `next` says, by writing what differs: the same for an append, a compaction, another branch and a fork. */
export function saveState(rows: Rows, change: StateChange): void {
  const { session, row, stored, next } = change;
  if (next.startup !== stored.startup || next.started !== stored.started) {
    if (next.started) rows.saveStartup(session, JSON.stringify([...next.startup]));
    else rows.deleteStartup(session);
  }
  if (next.delivered !== stored.delivered) saveActive(rows, change);
  const { pendingTouches, openToolCalls } = next;
  const saved: SessionRow = {
    id: session,
    entries: change.entries,
    leaf: change.leaf,
    leaf_id: next.leaf,
    depth: next.depth,
    floor: next.floor,
    state: JSON.stringify({ pendingTouches, openToolCalls }),
    forked_from: change.fork?.from ?? null,
    forked_at: change.fork?.at ?? null,
  };
  if (row === undefined) rows.insertSession(saved);
  else rows.updateSession(saved);
}

function saveActive(rows: Rows, { session, stored, next, appended }: StateChange): void {
  for (const path of new Set(changedPaths(stored, next, appended))) {
    const version = next.delivered.get(path);
    if (version === undefined) rows.deleteActive(session, path);
    // An entry says one thing about a path, so the same entry is the same row.
    else if (stored.delivered.get(path)?.entryId !== version.entryId) {
      rows.saveActive(session, { path, sha256: version.sha256, entry: version.entryId, depth: version.depth });
    }
  }
}

/** A delivery changes the paths that it names. For anything else each path is compared: that is rare, and there may be many. */
function changedPaths(stored: Projection, next: Projection, appended: JournalEntry | undefined): readonly string[] {
  if (appended?.kind === 'turn-context' && appended.context === 'instructions') {
    const { instructions, removed } = appended.details;
    return [...instructions, ...removed].map(({ relPath }) => relPath);
  }
  return [...stored.delivered.keys(), ...next.delivered.keys()];
}
