import type { EntryId, SessionId } from '@codicil/journal-records';
import type { Database, Statement } from './driver.ts';

/** Where an entry is stored. */
export type Seq = number;

/** Where a session stands, with the ids of the entries that it leads to; `null` too where such an entry is missing. */
export interface SessionRow {
  readonly id: SessionId;
  readonly entries: number;
  readonly leaf: Seq | null;
  readonly leafId: EntryId | null;
  readonly forkedFrom: SessionId | null;
  readonly forkedAt: Seq | null;
  readonly forkId: EntryId | null;
  readonly sum: string;
}

export interface EntryRow {
  readonly seq: Seq;
  readonly id: EntryId;
  readonly session: SessionId;
  readonly parent: Seq | null;
  readonly depth: number;
  readonly body: string;
}

/** An entry with the id of its parent; `null` too where the parent is missing. */
export interface ReadRow extends Omit<EntryRow, 'session'> {
  readonly parentId: EntryId | null;
  readonly snapshot: string | null;
}

export interface TotalsRow {
  readonly sessions: number;
  readonly sum: string;
}

/** Snapshots of a session that are kept: the last may be of a branch that is left again. */
const SNAPSHOTS_A_SESSION = 2;

/** The statements, prepared once a connection. What they mean is decided elsewhere. */
export class Rows {
  readonly #prepare: (sql: string) => Statement;

  constructor(database: Database) {
    const prepared = new Map<string, Statement>();
    this.#prepare = (sql) => {
      const statement = prepared.get(sql) ?? database.prepare<unknown[]>(sql);
      prepared.set(sql, statement);
      return statement;
    };
  }

  session(id: SessionId): SessionRow | undefined {
    return this.#prepare(
      `SELECT s.id, s.entries, s.leaf, l.id AS leafId, s.forked_from AS forkedFrom, s.forked_at AS forkedAt, f.id AS forkId, s.sum
      FROM sessions s LEFT JOIN entries l ON l.seq = s.leaf LEFT JOIN entries f ON f.seq = s.forked_at WHERE s.id = ?`,
    ).get(id) as SessionRow | undefined;
  }

  sessionIds(): readonly SessionId[] {
    return this.#prepare('SELECT id FROM sessions ORDER BY id').pluck().all() as SessionId[];
  }

  sessionCount(): number {
    return this.#prepare('SELECT count(*) FROM sessions').pluck().get() as number;
  }

  /** The sessions that entries belong to, one step in the index for each. */
  namedSessions(): readonly SessionId[] {
    return this.#prepare(
      `WITH RECURSIVE named (id) AS (
        SELECT min(session) FROM entries
        UNION ALL
        SELECT (SELECT min(session) FROM entries WHERE session > named.id) FROM named WHERE named.id IS NOT NULL
      ) SELECT id FROM named WHERE id IS NOT NULL`,
    )
      .pluck()
      .all() as SessionId[];
  }

  insertSession(row: SessionRow): void {
    const { id, entries, leaf, forkedFrom, forkedAt, sum } = row;
    this.#prepare(
      'INSERT INTO sessions (id, entries, leaf, forked_from, forked_at, sum) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(id, entries, leaf, forkedFrom, forkedAt, sum);
  }

  /** Everything but where the session was forked off, which never changes. */
  updateSession({ id, entries, leaf, sum }: SessionRow): void {
    this.#prepare('UPDATE sessions SET entries = ?, leaf = ?, sum = ? WHERE id = ?').run(entries, leaf, sum, id);
  }

  totals(): readonly TotalsRow[] {
    return this.#prepare('SELECT sessions, sum FROM totals').all() as TotalsRow[];
  }

  updateTotals({ sessions, sum }: TotalsRow): void {
    this.#prepare('UPDATE totals SET sessions = ?, sum = ?').run(sessions, sum);
  }

  lastSeq(): Seq {
    return (this.#prepare('SELECT max(seq) FROM entries').pluck().get() as Seq | null) ?? 0;
  }

  insertEntry({ seq, id, session, parent, depth, body }: EntryRow): void {
    this.#prepare('INSERT INTO entries (seq, id, session, parent, depth, body) VALUES (?, ?, ?, ?, ?, ?)').run(
      seq,
      id,
      session,
      parent,
      depth,
      body,
    );
  }

  seqOf(id: EntryId): Seq | undefined {
    return this.#prepare('SELECT seq FROM entries WHERE id = ?').pluck().get(id) as Seq | undefined;
  }

  entryAt(seq: Seq): ReadRow | undefined {
    return this.#prepare(
      `SELECT e.seq, e.id, e.parent, p.id AS parentId, e.depth, e.body, s.state AS snapshot
      FROM entries e LEFT JOIN entries p ON p.seq = e.parent LEFT JOIN snapshots s ON s.seq = e.seq WHERE e.seq = ?`,
    ).get(seq) as ReadRow | undefined;
  }

  ownSeqs(session: SessionId, after: Seq, count: number): readonly Seq[] {
    return this.#prepare('SELECT seq FROM entries WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?')
      .pluck()
      .all(session, after, count) as Seq[];
  }

  saveSnapshot(session: SessionId, seq: Seq, state: string): void {
    this.#prepare('INSERT OR REPLACE INTO snapshots (seq, session, state) VALUES (?, ?, ?)').run(seq, session, state);
    this.#prepare(
      `DELETE FROM snapshots WHERE seq IN
      (SELECT seq FROM snapshots WHERE session = ? ORDER BY seq DESC LIMIT -1 OFFSET ${SNAPSHOTS_A_SESSION})`,
    ).run(session);
  }
}
