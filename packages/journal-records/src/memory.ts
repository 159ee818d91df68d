import type { EntryId, SessionId } from './entry.ts';
import { type OpenJournalOptions, openJournal } from './gate.ts';
import { type Journal, JournalError } from './journal.ts';
import type { AppendPlan, CommitOutcome, JournalStore, Scanned, StoredEntry, StoredHead } from './store.ts';

interface Session {
  readonly forkedFrom: StoredHead['forkedFrom'];
  leaf: EntryId | null;
  readonly own: EntryId[];
}

const sessionsOf: unique symbol = Symbol('sessions');
const entriesOf: unique symbol = Symbol('entries');

/** What a memory journal writes to, opaque. Two journals over one store are two openings of the same journal. */
export interface MemoryStore {
  readonly [sessionsOf]: Map<SessionId, Session>;
  readonly [entriesOf]: Map<EntryId, StoredEntry>;
}

/** An empty store, or one that begins as a copy of another and shares no future with it. */
export function createMemoryStore(copyOf?: MemoryStore): MemoryStore {
  const sessions = [...(copyOf?.[sessionsOf] ?? [])].map(([id, session]): [SessionId, Session] => [
    id,
    { ...session, own: [...session.own] },
  ]);
  return { [sessionsOf]: new Map(sessions), [entriesOf]: new Map(copyOf?.[entriesOf]) };
}

export interface MemoryJournalOptions extends OpenJournalOptions {
  /** A store to open again; a new one when left out. */
  readonly store?: MemoryStore | undefined;
}

/** A {@link Journal} in memory, with a fault to test what stands upon it. */
export interface MemoryJournal extends Journal {
  /**
   * The next `count` appends that get as far as writing reject with `journal_write_failed`: `before` anything was written, or `after` the entry
   * was, which is the failure whose outcome a caller cannot tell. `unsynced` is `after` with `journal_sync_failed`, which latches the session.
   */
  failAppends(count: number, moment: 'before' | 'after' | 'unsynced'): void;
  /** How many entries were read from the store since it was opened: what a caller's reading costs. */
  readonly entriesRead: number;
}

/** A journal that forgets everything with its process, unless its store is opened again. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): MemoryJournal {
  const store = new Memory(options.store ?? createMemoryStore());
  const journal = openJournal(store, options);
  return Object.defineProperties(
    Object.assign(journal, {
      failAppends: (count: number, moment: 'before' | 'after' | 'unsynced') => {
        store.failing = { count, moment };
      },
    }),
    { entriesRead: { get: () => store.entriesRead } },
  ) as MemoryJournal;
}

class Memory implements JournalStore {
  readonly #sessions: Map<SessionId, Session>;
  readonly #entries: Map<EntryId, StoredEntry>;
  failing: { count: number; moment: 'before' | 'after' | 'unsynced' } = { count: 0, moment: 'before' };
  entriesRead = 0;

  constructor(store: MemoryStore) {
    this.#sessions = store[sessionsOf];
    this.#entries = store[entriesOf];
  }

  async head(id: SessionId): Promise<StoredHead | undefined> {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    return { leaf: session.leaf, entries: session.own.length, forkedFrom: session.forkedFrom };
  }

  async entry(_session: SessionId, id: EntryId): Promise<StoredEntry | undefined> {
    return this.#read(id);
  }

  async *branch(_session: SessionId, { from, downTo }: { readonly from: EntryId; readonly downTo: number }) {
    for (let next: EntryId | null = from; next !== null; ) {
      const stored = this.#read(next);
      if (stored === undefined) return;
      yield stored;
      next = stored.depth <= downTo ? null : stored.parentId;
    }
  }

  async commit(id: SessionId, { expectedLeaf, stored }: AppendPlan): Promise<CommitOutcome> {
    const session = this.#sessions.get(id) ?? { forkedFrom: null, leaf: null, own: [] };
    if (session.leaf !== expectedLeaf) return { kind: 'conflict' };
    this.#failIf('before');
    session.leaf = stored.id;
    session.own.push(stored.id);
    this.#sessions.set(id, session);
    this.#entries.set(stored.id, stored);
    this.#failIf('after');
    this.#failIf('unsynced');
    return { kind: 'committed' };
  }

  async fork(from: SessionId, at: EntryId | null, to: SessionId): Promise<'forked' | 'exists'> {
    if (this.#sessions.has(to)) return 'exists';
    this.#sessions.set(to, { forkedFrom: { sessionId: from, at }, leaf: at, own: [] });
    return 'forked';
  }

  async sessions(): Promise<readonly SessionId[]> {
    return [...this.#sessions.keys()];
  }

  async keep(_session: SessionId, id: EntryId, snapshot: string): Promise<void> {
    const stored = this.#entries.get(id);
    if (stored !== undefined) this.#entries.set(id, { ...stored, snapshot });
  }

  async *scan(id: SessionId): AsyncIterable<Scanned> {
    for (const entryId of this.#sessions.get(id)?.own ?? []) {
      const stored = this.#read(entryId);
      if (stored !== undefined) yield { kind: 'entry', stored };
    }
  }

  async verify() {
    return [];
  }

  async close(): Promise<void> {}

  #read(id: EntryId): StoredEntry | undefined {
    this.entriesRead++;
    return this.#entries.get(id);
  }

  #failIf(moment: 'before' | 'after' | 'unsynced'): void {
    if (this.failing.count === 0 || this.failing.moment !== moment) return;
    this.failing.count--;
    if (moment === 'unsynced')
      throw new JournalError('journal_sync_failed', 'the entry was not made durable, as asked');
    throw new JournalError('journal_write_failed', `the write failed ${moment} it took effect, as asked`);
  }
}
