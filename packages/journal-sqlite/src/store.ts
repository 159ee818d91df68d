import {
  type AppendPlan,
  type CommitOutcome,
  type EntryId,
  JournalError,
  type JournalStore,
  type Scanned,
  type SessionId,
  type StoredEntry,
  type StoredHead,
  type StoreProblem,
} from '@codicil/journal-records';
import { asStored, scanSession, walkBranch } from './branch.ts';
import { Commits } from './commits.ts';
import type { Database } from './driver.ts';
import { Rows, type Seq, type SessionRow } from './rows.ts';
import { Sessions } from './sessions.ts';
import { type TurnOptions, Turns } from './turns.ts';
import { structureProblems } from './verify.ts';

export interface StoreParts extends TurnOptions {
  readonly database: Database;
  /** A second connection that only reads. */
  readonly openReader: () => Database;
}

/** Keeps entries in an SQLite file. What they say is opaque to it. */
export class SqliteStore implements JournalStore {
  readonly #parts: StoreParts;
  readonly #rows: Rows;
  readonly #sessions: Sessions;
  readonly #turns: Turns;
  readonly #commits: Commits;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#rows = new Rows(parts.database);
    this.#sessions = new Sessions(this.#rows);
    this.#turns = new Turns(parts.database, parts);
    this.#commits = new Commits(this.#turns, (session, plan) => this.#commitNow(session, plan));
  }

  async head(session: SessionId): Promise<StoredHead | undefined> {
    const row = await this.#turns.read(() => this.#sessions.find(session));
    if (row === undefined) return undefined;
    const { leafId: leaf, entries, forkedFrom, forkId } = row;
    return { leaf, entries, forkedFrom: forkedFrom === null ? null : { sessionId: forkedFrom, at: forkId } };
  }

  async entry(_session: SessionId, id: EntryId): Promise<StoredEntry | undefined> {
    return this.#turns.read(() => {
      const seq = this.#rows.seqOf(id);
      const row = seq === undefined ? undefined : this.#rows.entryAt(seq);
      return row === undefined ? undefined : asStored(row);
    });
  }

  async *branch(
    session: SessionId,
    o: { readonly from: EntryId; readonly downTo: number },
  ): AsyncGenerator<StoredEntry> {
    const seq = await this.#turns.read(() => this.#seqOf(this.#sessions.find(session), o.from));
    yield* walkBranch(this.#rows, (work) => this.#turns.read(work), seq, o.downTo);
  }

  commit(session: SessionId, plan: AppendPlan): Promise<CommitOutcome> {
    return this.#commits.add(session, plan);
  }

  #commitNow(session: SessionId, { expectedLeaf, stored }: AppendPlan): CommitOutcome {
    const row = this.#sessions.find(session);
    if ((row?.leafId ?? null) !== expectedLeaf) return { kind: 'conflict' };
    const { id, parentId, depth, body } = stored;
    const seq = this.#nextSeq();
    const parent = parentId === null ? null : this.#seqOf(row, parentId);
    this.#rows.insertEntry({ seq, id, session, parent, depth, body });
    const leaf = { leaf: seq, leafId: id };
    if (row === undefined) {
      this.#sessions.begin({ id: session, entries: 1, ...leaf, forkedFrom: null, forkedAt: null, forkId: null });
    } else {
      this.#sessions.move({ ...row, entries: row.entries + 1, ...leaf });
    }
    return { kind: 'committed' };
  }

  async fork(from: SessionId, at: EntryId | null, to: SessionId): Promise<'forked' | 'exists'> {
    return this.#turns.queue(() =>
      this.#turns.write(() => {
        if (this.#sessions.find(to) !== undefined) return 'exists';
        const seq = at === null ? null : this.#seqOf(this.#sessions.find(from), at);
        const place = { leaf: seq, leafId: at, forkedFrom: from, forkedAt: seq, forkId: at };
        this.#sessions.begin({ id: to, entries: 0, ...place });
        return 'forked';
      }),
    );
  }

  async sessions(): Promise<readonly SessionId[]> {
    return this.#turns.read(() => this.#sessions.ids());
  }

  async keep(session: SessionId, id: EntryId, snapshot: string): Promise<void> {
    await this.#turns.queue(() =>
      this.#turns.write(() => {
        this.#rows.saveSnapshot(session, this.#seqOf(this.#sessions.find(session), id), snapshot);
      }),
    );
  }

  scan(session: SessionId): AsyncIterable<Scanned> {
    return scanSession(this.#rows, (work) => this.#turns.read(work), session);
  }

  async verify(): Promise<readonly StoreProblem[]> {
    return structureProblems(this.#parts.openReader, this.#parts.file);
  }

  async close(): Promise<void> {
    await this.#turns.idle();
    this.#parts.database.close();
  }

  #nextSeq(): Seq {
    const seq = this.#rows.lastSeq() + 1;
    if (!Number.isSafeInteger(seq))
      throw new JournalError('journal_corrupt', 'the number of the last entry is damaged');
    this.#turns.noticeNext(seq);
    return seq;
  }

  /** Where an entry is stored: the leaf as its session says, any other as the index of ids does. */
  #seqOf(row: SessionRow | undefined, id: EntryId): Seq {
    const seq = row?.leafId === id ? row.leaf : this.#rows.seqOf(id);
    if (typeof seq === 'number') return seq;
    throw new JournalError('journal_corrupt', `entry ${id} is not there`);
  }
}
