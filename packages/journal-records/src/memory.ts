import { checkDraft, createEntry } from './draft.ts';
import type { CompactionRecord, Draft, EntryId, JournalEntry, SessionId } from './entry.ts';
import { advance, projectBranch } from './fold.ts';
import { sessionId as checkSessionId, createEntryId } from './identifiers.ts';
import {
  type AppendOptions,
  type AppendOutcome,
  type Journal,
  JournalError,
  type SessionSummary,
  type VerifyReport,
} from './journal.ts';
import { emptyProjection, type Projection } from './projection.ts';

interface Session {
  readonly id: SessionId;
  readonly forkedFrom: SessionSummary['forkedFrom'];
  leaf: EntryId | null;
  entries: number;
}

const sessionsOf: unique symbol = Symbol('sessions');
const entriesOf: unique symbol = Symbol('entries');

/** What a memory journal writes to, opaque. Two journals over one store are two openings of the same journal. */
export interface MemoryStore {
  readonly [sessionsOf]: Map<SessionId, Session>;
  readonly [entriesOf]: Map<EntryId, JournalEntry>;
}

export function createMemoryStore(): MemoryStore {
  return { [sessionsOf]: new Map(), [entriesOf]: new Map() };
}

export interface MemoryJournalOptions {
  /** A store to open again; a new one when left out. */
  readonly store?: MemoryStore | undefined;
  /** Milliseconds since 1970-01-01 UTC; the machine's clock when left out. */
  readonly clock?: (() => number) | undefined;
}

/** A {@link Journal} in memory, with a fault to test what stands upon it. */
export interface MemoryJournal extends Journal {
  /**
   * The next `count` appends that get as far as writing reject with `journal_write_failed`: `before` anything was written, or `after` the entry
   * was, which is the failure whose outcome a caller cannot tell.
   */
  failAppends(count: number, moment: 'before' | 'after'): void;
}

/** Every call takes effect in one step, at the latest when its promise settles. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): MemoryJournal {
  return new Memory(options.store ?? createMemoryStore(), options.clock ?? Date.now);
}

class Memory implements MemoryJournal {
  readonly #store: MemoryStore;
  readonly #clock: () => number;
  /** The projection at the leaf as this opening last saw it. */
  readonly #seen = new Map<SessionId, Projection>();
  #failing: { count: number; moment: 'before' | 'after' } = { count: 0, moment: 'before' };
  #isClosed = false;

  constructor(store: MemoryStore, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  failAppends(count: number, moment: 'before' | 'after'): void {
    this.#failing = { count, moment };
  }

  async append(sessionId: SessionId, draft: Draft, o: AppendOptions): Promise<AppendOutcome> {
    this.#enter(sessionId);
    o.signal?.throwIfAborted();
    const checked = checkDraft(draft);
    const session = this.#store[sessionsOf].get(sessionId);
    const leaf = session?.leaf ?? null;
    if (o.expectedLeaf !== 'any' && o.expectedLeaf !== leaf) return { kind: 'conflict', leaf };

    const parentId = o.parent === undefined ? leaf : o.parent;
    const parent = parentId === null ? undefined : this.#entryOf(sessionId, parentId);
    if (checked.kind === 'compaction') this.#checkKeepFrom(checked, parent);
    const before = parentId === leaf ? this.#projectionOf(sessionId) : projectBranch(this.#walk(parent));
    this.#failIf('before');
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const entry = createEntry(
      { id: createEntryId(), parentId, sessionId, depth, at: Math.trunc(this.#clock()) },
      checked,
    );
    this.#write(entry, session);
    const projection = advance(before, entry);
    this.#seen.set(sessionId, projection);
    this.#failIf('after');
    return { kind: 'appended', entry, projection };
  }

  async projection(sessionId: SessionId): Promise<Projection> {
    this.#enter(sessionId);
    return this.#projectionOf(sessionId);
  }

  async *branch(sessionId: SessionId, o?: { readonly from?: EntryId | undefined }): AsyncIterable<JournalEntry> {
    this.#enter(sessionId);
    const from = o?.from ?? this.#store[sessionsOf].get(sessionId)?.leaf ?? null;
    yield* this.#walk(from === null ? undefined : this.#entryOf(sessionId, from));
  }

  async fork(from: SessionId, at: EntryId | null, to: SessionId): Promise<Projection> {
    this.#enter(from);
    this.#enter(to);
    const sessions = this.#store[sessionsOf];
    if (!sessions.has(from)) throw new JournalError('journal_unknown_session', `there is no session ${from} to fork`);
    if (at !== null) this.#entryOf(from, at);
    if (sessions.has(to)) throw new JournalError('journal_session_exists', `there is a session ${to} already`);
    sessions.set(to, { id: to, forkedFrom: { sessionId: from, at }, leaf: at, entries: 0 });
    return this.#projectionOf(to);
  }

  async sessions(): Promise<readonly SessionSummary[]> {
    this.#enter();
    // Session ids are ASCII, so the order of UTF-16 units is the order of code points.
    const ids = [...this.#store[sessionsOf].values()].sort((left, right) => (left.id < right.id ? -1 : 1));
    return ids.map(({ id, entries, leaf, forkedFrom }) => ({ id, entries, leaf, forkedFrom }));
  }

  async verify(): Promise<VerifyReport> {
    this.#enter();
    return { sessions: this.#store[sessionsOf].size, entries: this.#store[entriesOf].size, problems: [] };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #enter(sessionId?: SessionId): void {
    if (this.#isClosed) throw new JournalError('journal_closed', 'the journal was closed');
    if (sessionId !== undefined) checkSessionId(sessionId);
  }

  #write(entry: JournalEntry, session: Session | undefined): void {
    const written = session ?? { id: entry.sessionId, forkedFrom: null, leaf: null, entries: 0 };
    written.leaf = entry.id;
    written.entries++;
    this.#store[sessionsOf].set(written.id, written);
    this.#store[entriesOf].set(entry.id, entry);
  }

  #projectionOf(sessionId: SessionId): Projection {
    const leaf = this.#store[sessionsOf].get(sessionId)?.leaf ?? null;
    if (leaf === null) return emptyProjection;
    const seen = this.#seen.get(sessionId);
    if (seen?.leaf === leaf) return seen;
    const projection = projectBranch(this.#walk(this.#store[entriesOf].get(leaf)));
    this.#seen.set(sessionId, projection);
    return projection;
  }

  /** The entry, if it lies on a branch of the session: one of its own, or before the place where it was forked off. */
  #entryOf(sessionId: SessionId, id: EntryId): JournalEntry {
    const entry = this.#store[entriesOf].get(id);
    if (entry?.sessionId === sessionId) return entry;
    const fork = this.#store[sessionsOf].get(sessionId)?.forkedFrom?.at ?? null;
    const inherited = fork === null ? undefined : this.#ancestor(this.#store[entriesOf].get(fork), entry?.depth);
    if (entry !== undefined && inherited === entry) return entry;
    throw new JournalError('journal_unknown_entry', `no branch of session ${sessionId} has an entry ${id}`);
  }

  #checkKeepFrom({ keepFrom }: CompactionRecord, parent: JournalEntry | undefined): void {
    if (keepFrom === null) return;
    const kept = this.#store[entriesOf].get(keepFrom.id);
    if (kept === undefined || this.#ancestor(parent, kept.depth) !== kept) {
      throw new JournalError('journal_unknown_entry', `the branch has no entry ${keepFrom.id} to keep from`);
    }
    if (kept.depth === keepFrom.depth) return;
    throw new JournalError(
      'journal_invalid_draft',
      `entry ${keepFrom.id} is at depth ${kept.depth}, not ${keepFrom.depth}`,
    );
  }

  #ancestor(entry: JournalEntry | undefined, depth: number | undefined): JournalEntry | undefined {
    if (depth === undefined) return undefined;
    for (const older of this.#walk(entry)) if (older.depth <= depth) return older;
    return undefined;
  }

  *#walk(from: JournalEntry | undefined): Iterable<JournalEntry> {
    let entry = from;
    while (entry !== undefined) {
      yield entry;
      entry = entry.parentId === null ? undefined : this.#store[entriesOf].get(entry.parentId);
    }
  }

  #failIf(moment: 'before' | 'after'): void {
    if (this.#failing.count === 0 || this.#failing.moment !== moment) return;
    this.#failing.count--;
    throw new JournalError('journal_write_failed', `the write failed ${moment} it took effect, as asked`);
  }
}
