import { checkDraft } from './draft.ts';
import type { Draft, EntryId, JournalEntry, SessionId } from './entry.ts';
import { attempting, isLatching } from './failure.ts';
import { BranchFold } from './fold.ts';
import { sessionId as checkSessionId } from './identifiers.ts';
import {
  type AppendOptions,
  type AppendOutcome,
  type BranchOptions,
  type Journal,
  JournalError,
  type SalvageReport,
  type SessionSummary,
  type VerifyReport,
} from './journal.ts';
import { planAppend } from './plan.ts';
import { emptyProjection, type Projection } from './projection.ts';
import { soundBranch } from './salvage.ts';
import { unsealEntry } from './seal.ts';
import { parseSnapshot, serializeSnapshot } from './snapshot.ts';
import type { JournalStore, StoredEntry, StoredHead } from './store.ts';
import { verifySessions } from './verify.ts';

export interface OpenJournalOptions {
  /** Milliseconds since 1970-01-01 UTC; the machine's clock when left out. */
  readonly clock?: (() => number) | undefined;
  /** Entries after which a shortcut is kept for the next reader, at the earliest. Left out: 256. */
  readonly snapshotEvery?: number | undefined;
}

/** Sessions whose state an opening keeps at hand; the others are read again. */
const MAX_SEEN = 1_000;
const SNAPSHOT_EVERY = 256;

/** What an opening knows of a session at its leaf. It counts only while the leaf is still the same. */
interface Seen {
  readonly projection: Projection;
  /** Entries and UTF-16 units since the last snapshot. */
  readonly since: number;
  readonly text: number;
}

/** What is planned and not yet told: appends of one opening are decided one upon the other, so that a store can write them together. */
interface Tip {
  readonly seen: Seen;
  readonly settled: Promise<unknown>;
  /** The same for all that were decided one upon the other: when one of them does not come in, none of its followers does. */
  readonly chain: object;
}

/** Makes a `Journal` of a store. Every rule of a journal is here and in what this calls: two stores differ in where they keep things, and in nothing else. */
export function openJournal(store: JournalStore, o: OpenJournalOptions = {}): Journal {
  return new Gate(store, o.clock ?? Date.now, o.snapshotEvery ?? SNAPSHOT_EVERY);
}

class Gate implements Journal {
  readonly #store: JournalStore;
  readonly #clock: () => number;
  readonly #snapshotEvery: number;
  readonly #seen = new Map<SessionId, Seen>();
  readonly #tips = new Map<SessionId, Tip>();
  readonly #planning = new Map<SessionId, Promise<unknown>>();
  readonly #latches = new Map<SessionId, JournalError>();
  readonly #pending = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(store: JournalStore, clock: () => number, snapshotEvery: number) {
    this.#store = store;
    this.#clock = clock;
    this.#snapshotEvery = snapshotEvery;
  }

  async append(sessionId: SessionId, draft: Draft, o: AppendOptions): Promise<AppendOutcome> {
    this.#enter(sessionId);
    o.signal?.throwIfAborted();
    const checked = checkDraft(draft);
    const appending = attempting(
      'journal_write_failed',
      `session ${sessionId} could not be appended to`,
      o.signal,
      () => this.#append(sessionId, checked, o),
    );
    return this.#tracked(appending);
  }

  async #append(sessionId: SessionId, draft: Draft, o: AppendOptions): Promise<AppendOutcome> {
    for (;;) {
      const attempt = await this.#inTurn(sessionId, () => this.#attempt(sessionId, draft, o));
      switch (attempt.kind) {
        case 'conflict':
          return attempt;
        case 'wait':
          await attempt.settled;
          break;
        case 'committing': {
          const { committing, planned } = attempt;
          if ((await committing).kind === 'committed') {
            return { kind: 'appended', entry: planned.entry, projection: planned.next };
          }
          // Someone was faster. Whoever did not care which leaf it was is decided again.
          break;
        }
        default:
          attempt satisfies never;
      }
      o.signal?.throwIfAborted();
    }
  }

  /** Decides upon the leaf as it is, or as it will be when all that is under way has come in, and hands the plan to the store. */
  async #attempt(sessionId: SessionId, draft: Draft, o: AppendOptions) {
    this.#assertNotLatched(sessionId);
    o.signal?.throwIfAborted();
    const tip = this.#tips.get(sessionId);
    if (tip !== undefined && o.parent === undefined && draft.kind !== 'compaction') {
      const { leaf } = tip.seen.projection;
      // What is under way may fail yet: a conflict with it is told once it has come in.
      if (o.expectedLeaf !== 'any' && o.expectedLeaf !== leaf) return { kind: 'wait' as const, settled: tip.settled };
      return this.#commit(sessionId, tip.seen, leaf, draft, { keptEntry: undefined, chain: tip.chain });
    }
    if (tip !== undefined) return { kind: 'wait' as const, settled: tip.settled };
    const head = await this.#store.head(sessionId);
    const leaf = head?.leaf ?? null;
    if (o.expectedLeaf !== 'any' && o.expectedLeaf !== leaf) return { kind: 'conflict' as const, leaf };
    const atLeaf = o.parent === undefined || o.parent === leaf;
    const place = atLeaf ? await this.#seenAt(sessionId, leaf) : await this.#seenAtParent(sessionId, head, o.parent);
    const kept =
      draft.kind === 'compaction'
        ? await this.#keptEntry(sessionId, place.projection, draft.keepFrom?.depth)
        : undefined;
    return this.#commit(sessionId, place, leaf, draft, { keptEntry: kept, chain: {} });
  }

  #commit(
    sessionId: SessionId,
    place: Seen,
    leaf: EntryId | null,
    draft: Draft,
    { keptEntry, chain }: { readonly keptEntry: EntryId | undefined; readonly chain: object },
  ) {
    const planned = planAppend({ sessionId, leaf, projection: place.projection, keptEntry, at: this.#clock() }, draft);
    const next: Seen = {
      projection: planned.next,
      since: place.since + 1,
      text: place.text + planned.plan.stored.body.length,
    };
    const committing = this.#store.commit(sessionId, planned.plan).then(
      async (outcome) => {
        if (outcome.kind === 'committed') await this.#arrived(sessionId, next);
        else this.#breakOff(sessionId, chain);
        return outcome;
      },
      (error: unknown) => {
        this.#seen.delete(sessionId);
        this.#breakOff(sessionId, chain);
        if (isLatching(error)) this.#latches.set(sessionId, error);
        throw error;
      },
    );
    const settled: Promise<unknown> = committing
      .catch(() => undefined)
      .then(() => {
        if (this.#tips.get(sessionId)?.settled === settled) this.#tips.delete(sessionId);
      });
    this.#tips.set(sessionId, { seen: next, settled, chain });
    return { kind: 'committing' as const, committing, planned };
  }

  #breakOff(sessionId: SessionId, chain: object): void {
    if (this.#tips.get(sessionId)?.chain === chain) this.#tips.delete(sessionId);
  }

  async #arrived(sessionId: SessionId, next: Seen): Promise<void> {
    const isDue = next.since >= this.#snapshotEvery && next.text >= sizeOf(next.projection);
    this.#remember(sessionId, isDue ? { ...next, since: 0, text: 0 } : next);
    if (isDue) await this.#keep(sessionId, next.projection);
  }

  /** Nothing depends on it: whoever appended has its answer, and a full disk is told to the next append. */
  async #keep(sessionId: SessionId, projection: Projection): Promise<void> {
    if (projection.leaf === null) return;
    await this.#store.keep(sessionId, projection.leaf, serializeSnapshot(projection)).catch(() => undefined);
  }

  async projection(sessionId: SessionId): Promise<Projection> {
    this.#enter(sessionId);
    return this.#reading(`session ${sessionId} cannot be read`, async () => {
      const head = await this.#store.head(sessionId);
      return (await this.#seenAt(sessionId, head?.leaf ?? null)).projection;
    });
  }

  async *branch(sessionId: SessionId, o: BranchOptions = {}): AsyncIterable<JournalEntry> {
    this.#enter(sessionId);
    const what = `session ${sessionId} cannot be read`;
    const from = await this.#reading(what, async () => {
      const head = await this.#store.head(sessionId);
      return o.from === undefined || o.from === head?.leaf
        ? (head?.leaf ?? null)
        : (await this.#entryOf(sessionId, head, o.from)).id;
    });
    if (from === null) return;
    const entries = this.#walk(sessionId, from, o.downTo ?? 0)[Symbol.asyncIterator]();
    try {
      for (;;) {
        this.#enter();
        const { done, value } = await this.#reading(what, () => entries.next());
        if (done === true) return;
        yield value.entry;
      }
    } finally {
      await entries.return?.(undefined);
    }
  }

  async fork(from: SessionId, at: EntryId | null, to: SessionId): Promise<Projection> {
    this.#enter(from);
    this.#enter(to);
    const forking = attempting('journal_write_failed', `session ${from} could not be forked`, undefined, async () => {
      const head = await this.#store.head(from);
      if (head === undefined) throw new JournalError('journal_unknown_session', `there is no session ${from} to fork`);
      if (at !== null && at !== head.leaf) await this.#entryOf(from, head, at);
      if ((await this.#store.fork(from, at, to)) === 'exists') {
        throw new JournalError('journal_session_exists', `there is a session ${to} already`);
      }
      return (await this.#seenAt(to, at)).projection;
    });
    return this.#tracked(forking);
  }

  async sessions(): Promise<readonly SessionSummary[]> {
    this.#enter();
    return this.#reading('the sessions cannot be listed', async () => {
      const summaries: SessionSummary[] = [];
      for (const id of [...(await this.#store.sessions())].sort()) {
        const head = await this.#store.head(id);
        if (head !== undefined)
          summaries.push({ id, entries: head.entries, leaf: head.leaf, forkedFrom: head.forkedFrom });
      }
      return summaries;
    });
  }

  async verify(): Promise<VerifyReport> {
    this.#enter();
    return this.#reading('the journal cannot be verified', () => verifySessions(this.#store));
  }

  async salvage(from: SessionId, to: SessionId): Promise<SalvageReport> {
    this.#enter(from);
    this.#enter(to);
    return this.#tracked(
      attempting('journal_write_failed', `session ${from} could not be salvaged`, undefined, async () => {
        if ((await this.#store.head(to)) !== undefined) {
          throw new JournalError('journal_session_exists', `there is a session ${to} already`);
        }
        const { branch, left, damage } = await soundBranch(this.#store, from);
        let expectedLeaf: EntryId | null = null;
        for (const draft of branch) {
          const outcome: AppendOutcome = await this.append(to, draft(expectedLeaf), { expectedLeaf });
          if (outcome.kind === 'conflict') {
            throw new JournalError('journal_session_exists', `someone else began a session ${to} meanwhile`);
          }
          expectedLeaf = outcome.entry.id;
        }
        return { kept: branch.length, left, damage };
      }),
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
    for (const [sessionId, { projection, since, text }] of this.#seen) {
      const isWorthIt = since >= Math.min(16, this.#snapshotEvery) && text >= sizeOf(projection);
      if (isWorthIt && !this.#latches.has(sessionId)) await this.#keep(sessionId, projection);
    }
    await this.#store.close();
  }

  #enter(sessionId?: SessionId): void {
    if (this.#isClosed) throw new JournalError('journal_closed', 'the journal was closed');
    if (sessionId !== undefined) checkSessionId(sessionId);
  }

  #assertNotLatched(sessionId: SessionId): void {
    const cause = this.#latches.get(sessionId);
    if (cause === undefined) return;
    throw new JournalError('journal_latched', `session ${sessionId} failed: open the journal again to go on`, {
      cause,
    });
  }

  #reading<T>(what: string, work: () => Promise<T>): Promise<T> {
    return this.#tracked(attempting('journal_read_failed', what, undefined, work));
  }

  /** What is under way is waited for before the store is closed. */
  async #tracked<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work);
    try {
      return await work;
    } finally {
      this.#pending.delete(work);
    }
  }

  /** Decisions about one session are made one after another; what they decide is written together. */
  async #inTurn<T>(sessionId: SessionId, work: () => Promise<T>): Promise<T> {
    const before = this.#planning.get(sessionId);
    const turn = before === undefined ? work() : before.then(work);
    const done: Promise<unknown> = turn
      .catch(() => undefined)
      .then(() => {
        if (this.#planning.get(sessionId) === done) this.#planning.delete(sessionId);
      });
    this.#planning.set(sessionId, done);
    return turn;
  }

  #remember(sessionId: SessionId, seen: Seen): void {
    this.#seen.delete(sessionId);
    this.#seen.set(sessionId, seen);
    if (this.#seen.size <= MAX_SEEN) return;
    for (const oldest of this.#seen.keys()) {
      this.#seen.delete(oldest);
      return;
    }
  }

  async #seenAt(sessionId: SessionId, leaf: EntryId | null): Promise<Seen> {
    const seen = this.#seen.get(sessionId);
    if (leaf === null) return { projection: emptyProjection, since: 0, text: 0 };
    if (seen?.projection.leaf === leaf) return seen;
    const restored = await this.#restore(sessionId, leaf);
    this.#remember(sessionId, restored);
    return restored;
  }

  async #seenAtParent(
    sessionId: SessionId,
    head: StoredHead | undefined,
    parent: EntryId | null | undefined,
  ): Promise<Seen> {
    if (parent === null || parent === undefined) return { projection: emptyProjection, since: 0, text: 0 };
    return this.#restore(sessionId, (await this.#entryOf(sessionId, head, parent)).id);
  }

  /** Folds what follows the nearest state that is known: one at hand, a snapshot, or the beginning. */
  async #restore(sessionId: SessionId, leaf: EntryId): Promise<Seen> {
    const atHand = this.#seen.get(sessionId);
    const newer: JournalEntry[] = [];
    let from: Seen = { projection: emptyProjection, since: 0, text: 0 };
    let text = 0;
    for await (const { entry, stored } of this.#walk(sessionId, leaf, 0)) {
      if (atHand?.projection.leaf === entry.id) {
        from = atHand;
        break;
      }
      const kept = stored.snapshot === undefined ? undefined : parseSnapshot(stored.snapshot, entry.id);
      if (kept !== undefined) {
        from = { projection: kept, since: 0, text: 0 };
        break;
      }
      newer.push(entry);
      text += stored.body.length;
    }
    const fold = new BranchFold(from.projection);
    for (const entry of newer.reverse()) fold.add(entry);
    return { projection: fold.projection(), since: from.since + newer.length, text: from.text + text };
  }

  /** The branch of an entry, each proved to be the one that the next newer one names as its parent. */
  async *#walk(
    sessionId: SessionId,
    from: EntryId,
    downTo: number,
  ): AsyncGenerator<{ readonly entry: JournalEntry; readonly stored: StoredEntry }> {
    let wanted: EntryId | null = from;
    for await (const stored of this.#store.branch(sessionId, { from, downTo })) {
      if (stored.id !== wanted) break;
      const entry = unsealEntry(stored);
      yield { entry, stored };
      wanted = entry.parentId;
      if (wanted === null || entry.depth <= downTo) return;
    }
    throw new JournalError('journal_corrupt', `entry ${wanted} of session ${sessionId} is missing from its branch`);
  }

  /** The entry, if it lies on a branch of the session: one of its own, or before the place where it was forked off. */
  async #entryOf(sessionId: SessionId, head: StoredHead | undefined, id: EntryId): Promise<JournalEntry> {
    const stored = head === undefined ? undefined : await this.#store.entry(sessionId, id);
    const entry = stored === undefined ? undefined : unsealEntry(stored);
    if (entry?.id === id) {
      if (entry.sessionId === sessionId) return entry;
      const fork = head?.forkedFrom?.at ?? null;
      const inherited = fork === null ? undefined : await this.#entryAt(sessionId, fork, entry.depth);
      if (inherited === id) return entry;
    }
    throw new JournalError('journal_unknown_entry', `no branch of session ${sessionId} has an entry ${id}`);
  }

  async #keptEntry(
    sessionId: SessionId,
    { leaf, depth }: Projection,
    wanted: number | undefined,
  ): Promise<EntryId | undefined> {
    return wanted === undefined || leaf === null || wanted > depth ? undefined : this.#entryAt(sessionId, leaf, wanted);
  }

  /** The entry at a depth of a branch. */
  async #entryAt(sessionId: SessionId, from: EntryId, depth: number): Promise<EntryId | undefined> {
    for await (const { entry } of this.#walk(sessionId, from, depth)) if (entry.depth === depth) return entry.id;
    return undefined;
  }
}

/** About as many UTF-16 units as a snapshot has: one is kept once as much was written since the last, so that they never outweigh the entries. */
function sizeOf({ startupEntry, startup, delivered, pendingTouches }: Projection): number {
  return (startupEntry?.text.length ?? 0) + 100 * (startup.size + delivered.size + pendingTouches.length);
}
