import type { EntryId, JournalEntry, SessionId } from '@codicil/journal-records';
import { createEntryId, serializeEntry } from '@codicil/journal-records';
import type { Database, Statement } from './driver.ts';

/** Where an entry is stored. */
export type Seq = number;

export interface SessionRow {
  readonly id: SessionId;
  readonly entries: number;
  readonly leaf: Seq | null;
  readonly leaf_id: EntryId | null;
  readonly depth: number;
  readonly floor: number;
  readonly state: string;
  readonly forked_from: SessionId | null;
  readonly forked_at: Seq | null;
}

export interface EntryRow {
  readonly seq: Seq;
  readonly id: EntryId;
  readonly session: SessionId;
  readonly parent: Seq | null;
  readonly depth: number;
}

export interface ActiveRow {
  readonly path: string;
  readonly sha256: string | null;
  readonly entry: EntryId;
  readonly depth: number;
}

export interface StoredBody {
  readonly parent: Seq | null;
  readonly json: string;
}

export type StoredEntry = EntryRow & StoredBody & { readonly at: number; readonly kind: string };

/**
 * A new id. It tells where the entry is stored, so no index of ids has to be written; the random part keeps it from meaning another entry in a
 * restored copy of the file.
 */
export function createId(seq: Seq): EntryId {
  return `${seq}.${createEntryId().slice(0, 18)}` as EntryId;
}

/** Where an entry of that id would be stored; 0, where none is, for a text that is no id of this store. */
function seqIn(id: EntryId): Seq {
  const seq = Number(/^([1-9]\d{0,14})\./.exec(id)?.[1]);
  return Number.isSafeInteger(seq) ? seq : 0;
}

const HEAD = 'seq, id, session, parent, depth';

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
    return this.#prepare('SELECT * FROM sessions WHERE id = ?').get(id) as SessionRow | undefined;
  }

  sessions(): readonly (SessionRow & { readonly forked_at_id: EntryId | null })[] {
    return this.#prepare(
      'SELECT s.*, e.id AS forked_at_id FROM sessions s LEFT JOIN entries e ON e.seq = s.forked_at ORDER BY s.id',
    ).all() as (SessionRow & { readonly forked_at_id: EntryId | null })[];
  }

  insertSession(row: SessionRow): void {
    this.#prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      row.id,
      row.entries,
      row.leaf,
      row.leaf_id,
      row.depth,
      row.floor,
      row.state,
      row.forked_from,
      row.forked_at,
    );
  }

  /** Everything but where the session was forked off, which never changes. */
  updateSession({ id, entries, leaf, leaf_id, depth, floor, state }: SessionRow): void {
    this.#prepare(
      'UPDATE sessions SET entries = ?, leaf = ?, leaf_id = ?, depth = ?, floor = ?, state = ? WHERE id = ?',
    ).run(entries, leaf, leaf_id, depth, floor, state, id);
  }

  /** Where the next entry will be stored, as long as nobody else writes. */
  nextSeq(): Seq {
    return ((this.#prepare('SELECT max(seq) FROM entries').pluck().get() as Seq | null) ?? 0) + 1;
  }

  insertEntry(seq: Seq, entry: JournalEntry, parent: Seq | null): void {
    const kind = entry.kind === 'unknown' ? entry.originalKind : entry.kind;
    const insert = this.#prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    insert.run(seq, entry.id, entry.sessionId, parent, entry.depth, entry.at, kind, serializeEntry(entry));
  }

  entryAt(seq: Seq): EntryRow | undefined {
    return this.#prepare(`SELECT ${HEAD} FROM entries WHERE seq = ?`).get(seq) as EntryRow | undefined;
  }

  entryOf(id: EntryId): EntryRow | undefined {
    const row = this.entryAt(seqIn(id));
    return row?.id === id ? row : undefined;
  }

  jsonAt(seq: Seq): StoredBody | undefined {
    return this.#prepare('SELECT parent, json FROM entries WHERE seq = ?').get(seq) as StoredBody | undefined;
  }

  entriesAfter(seq: Seq, count: number): readonly StoredEntry[] {
    return this.#prepare('SELECT * FROM entries WHERE seq > ? ORDER BY seq LIMIT ?').all(seq, count) as StoredEntry[];
  }

  startup(session: SessionId): string | undefined {
    return this.#prepare('SELECT modules FROM startup WHERE session = ?').pluck().get(session) as string | undefined;
  }

  saveStartup(session: SessionId, modules: string): void {
    this.#prepare('INSERT OR REPLACE INTO startup VALUES (?, ?)').run(session, modules);
  }

  deleteStartup(session: SessionId): void {
    this.#prepare('DELETE FROM startup WHERE session = ?').run(session);
  }

  active(session: SessionId): readonly ActiveRow[] {
    return this.#prepare('SELECT path, sha256, entry, depth FROM active WHERE session = ?').all(session) as ActiveRow[];
  }

  saveActive(session: SessionId, { path, sha256, entry, depth }: ActiveRow): void {
    this.#prepare('INSERT OR REPLACE INTO active VALUES (?, ?, ?, ?, ?)').run(session, path, sha256, entry, depth);
  }

  deleteActive(session: SessionId, path: string): void {
    this.#prepare('DELETE FROM active WHERE session = ? AND path = ?').run(session, path);
  }
}
