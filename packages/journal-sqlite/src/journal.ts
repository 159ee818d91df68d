import {
  type AppendOptions,
  type AppendOutcome,
  advance,
  type CompactionRecord,
  checkDraft,
  sessionId as checkSessionId,
  createEntry,
  type Draft,
  type EntryId,
  emptyProjection,
  type Journal,
  type JournalEntry,
  JournalError,
  type Projection,
  type SessionId,
  type SessionSummary,
  type VerifyReport,
} from '@codicil/journal-records';
import { ancestorAt, foldBranch, walkBranch } from './branch.ts';
import type { Database } from './driver.ts';
import { createId, type EntryRow, Rows, type Seq, type SessionRow } from './rows.ts';
import { restoreState, saveState } from './state.ts';
import { type TurnOptions, Turns } from './turns.ts';
import { verifyStore } from './verify.ts';

/** Projections that an opening keeps at hand; the others are read again. */
const MAX_SEEN = 1_000;

/** Where an entry will be put: after which one, and what the branch says there. */
interface Place {
  readonly parent: Seq | null;
  readonly projection: Projection;
}

export interface JournalParts extends TurnOptions {
  readonly database: Database;
  /** A second connection that only reads. */
  readonly openReader: () => Database;
  readonly clock: () => number;
}

export class SqliteJournal implements Journal {
  readonly #parts: JournalParts;
  readonly #rows: Rows;
  readonly #turns: Turns;
  /** The projection at the leaf as this opening last saw it. It counts only while the leaf is still the same. */
  readonly #seen = new Map<SessionId, Projection>();
  #isClosed = false;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#rows = new Rows(parts.database);
    this.#turns = new Turns(parts.database, parts);
  }

  async append(sessionId: SessionId, draft: Draft, o: AppendOptions): Promise<AppendOutcome> {
    this.#enter(sessionId);
    o.signal?.throwIfAborted();
    const checked = checkDraft(draft);
    return this.#turns.queue(async () => {
      // A branch other than the active one is folded before the write: its entries do not change, and nobody has to wait for it.
      const elsewhere = o.parent === undefined ? undefined : await this.#placeAt(sessionId, o.parent, o);
      if (elsewhere?.kind === 'conflict') return elsewhere;
      return this.#turns.write(() => this.#appendNow(sessionId, checked, o, elsewhere), o.signal);
    });
  }

  #appendNow(sessionId: SessionId, draft: Draft, o: AppendOptions, elsewhere: Place | undefined): AppendOutcome {
    const row = this.#rows.session(sessionId);
    const leaf = row?.leaf_id ?? null;
    if (o.expectedLeaf !== 'any' && o.expectedLeaf !== leaf) return { kind: 'conflict', leaf };

    const stored = this.#projectionOf(sessionId, row);
    const { parent, projection } = elsewhere ?? { parent: row?.leaf ?? null, projection: stored };
    if (draft.kind === 'compaction') this.#checkKeepFrom(draft, parent);
    const seq = this.#rows.nextSeq();
    this.#turns.noticeNext(seq);
    const head = { id: createId(seq), parentId: projection.leaf, sessionId, depth: projection.depth + 1 };
    const entry = createEntry({ ...head, at: Math.trunc(this.#parts.clock()) }, draft);
    const next = advance(projection, entry);
    this.#rows.insertEntry(seq, entry, parent);
    const entries = (row?.entries ?? 0) + 1;
    const appended = elsewhere === undefined ? entry : undefined;
    saveState(this.#rows, {
      session: sessionId,
      row,
      stored,
      next,
      leaf: seq,
      appended,
      entries,
      fork: undefined,
    });
    this.#keep(sessionId, next);
    return { kind: 'appended', entry, projection: next };
  }

  async projection(sessionId: SessionId): Promise<Projection> {
    this.#enter(sessionId);
    return this.#turns.read(() => this.#projectionOf(sessionId, this.#rows.session(sessionId)));
  }

  async *branch(sessionId: SessionId, o?: { readonly from?: EntryId | undefined }): AsyncIterable<JournalEntry> {
    this.#enter(sessionId);
    const read = this.#reading();
    const leaf = (await read(() => this.#rows.session(sessionId)))?.leaf ?? null;
    const from = o?.from === undefined ? leaf : await read(() => this.#entryOf(sessionId, o.from as EntryId).seq);
    yield* walkBranch(this.#rows, read, from);
  }

  async fork(from: SessionId, at: EntryId | null, to: SessionId): Promise<Projection> {
    this.#enter(from);
    this.#enter(to);
    return this.#turns.queue(async () => {
      const known = await this.#turns.read(() => this.#rows.session(from));
      if (known === undefined) throw new JournalError('journal_unknown_session', `there is no session ${from} to fork`);
      const { parent, projection } = await this.#placeOf(from, at);
      return this.#turns.write(() => {
        if (this.#rows.session(to) !== undefined) {
          throw new JournalError('journal_session_exists', `there is a session ${to} already`);
        }
        saveState(this.#rows, {
          session: to,
          row: undefined,
          stored: emptyProjection,
          next: projection,
          leaf: parent,
          appended: undefined,
          entries: 0,
          fork: { from, at: parent },
        });
        return projection;
      });
    });
  }

  async sessions(): Promise<readonly SessionSummary[]> {
    this.#enter();
    const rows = await this.#turns.read(() => this.#rows.sessions());
    return rows.map(({ id, entries, leaf_id, forked_from, forked_at_id }) => ({
      id,
      entries,
      leaf: leaf_id,
      forkedFrom: forked_from === null ? null : { sessionId: forked_from, at: forked_at_id },
    }));
  }

  async verify(): Promise<VerifyReport> {
    this.#enter();
    return verifyStore(this.#parts.openReader, this.#parts);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#turns.idle();
    this.#parts.database.close();
  }

  #enter(sessionId?: SessionId): void {
    if (this.#isClosed) throw new JournalError('journal_closed', 'the journal was closed');
    if (sessionId !== undefined) checkSessionId(sessionId);
  }

  /** Reads that go on for a while end when the journal is closed. */
  #reading(): <T>(work: () => T) => Promise<T> {
    return (work) => {
      this.#enter();
      return this.#turns.read(work);
    };
  }

  #projectionOf(sessionId: SessionId, row: SessionRow | undefined): Projection {
    const seen = this.#seen.get(sessionId);
    if (seen !== undefined && seen.leaf === row?.leaf_id) return seen;
    const projection = restoreState(this.#rows, row);
    this.#keep(sessionId, projection);
    return projection;
  }

  #keep(sessionId: SessionId, projection: Projection): void {
    this.#seen.delete(sessionId);
    this.#seen.set(sessionId, projection);
    if (this.#seen.size <= MAX_SEEN) return;
    for (const oldest of this.#seen.keys()) {
      this.#seen.delete(oldest);
      return;
    }
  }

  async #placeAt(
    sessionId: SessionId,
    parent: EntryId | null,
    { expectedLeaf }: AppendOptions,
  ): Promise<(Place & { readonly kind: 'place' }) | Extract<AppendOutcome, { readonly kind: 'conflict' }>> {
    const leaf = (await this.#turns.read(() => this.#rows.session(sessionId)))?.leaf_id ?? null;
    if (expectedLeaf !== 'any' && expectedLeaf !== leaf) return { kind: 'conflict', leaf };
    return { kind: 'place', ...(await this.#placeOf(sessionId, parent)) };
  }

  async #placeOf(sessionId: SessionId, id: EntryId | null): Promise<Place> {
    if (id === null) return { parent: null, projection: emptyProjection };
    const read = this.#turns.read.bind(this.#turns);
    const { seq, leaf } = await read(() => {
      const row = this.#rows.session(sessionId);
      const entry = this.#entryOf(sessionId, id);
      return { seq: entry.seq, leaf: row?.leaf_id === id ? this.#projectionOf(sessionId, row) : undefined };
    });
    return { parent: seq, projection: leaf ?? (await foldBranch(this.#rows, read, seq)) };
  }

  /** The entry, if it lies on a branch of the session: one of its own, or before the place where it was forked off. */
  #entryOf(sessionId: SessionId, id: EntryId): EntryRow {
    const entry = this.#rows.entryOf(id);
    if (entry?.session === sessionId) return entry;
    const fork = this.#rows.session(sessionId)?.forked_at ?? null;
    if (entry !== undefined && ancestorAt(this.#rows, fork, entry.depth)?.seq === entry.seq) return entry;
    throw new JournalError('journal_unknown_entry', `no branch of session ${sessionId} has an entry ${id}`);
  }

  #checkKeepFrom({ keepFrom }: CompactionRecord, parent: Seq | null): void {
    if (keepFrom === null) return;
    const kept = this.#rows.entryOf(keepFrom.id);
    if (kept === undefined || ancestorAt(this.#rows, parent, kept.depth)?.seq !== kept.seq) {
      throw new JournalError('journal_unknown_entry', `the branch has no entry ${keepFrom.id} to keep from`);
    }
    if (kept.depth === keepFrom.depth) return;
    throw new JournalError(
      'journal_invalid_draft',
      `entry ${keepFrom.id} is at depth ${kept.depth}, not ${keepFrom.depth}`,
    );
  }
}
