import { join } from 'node:path';
import {
  type AppendPlan,
  type CommitOutcome,
  type EntryId,
  isJournalError,
  JournalError,
  type JournalStore,
  type Scanned,
  type SessionId,
  type StoredEntry,
  type StoredHead,
  type StoreProblem,
} from '@codicil/journal-records';
import type { Disk } from './disk.ts';
import { fileNameOf, sessionOf } from './file-names.ts';
import { damaged, readLayout, readMark } from './layout.ts';
import { scanFile } from './scan.ts';
import { pathOf, SessionFile } from './session-file.ts';
import { Writer } from './writer.ts';

/** A folder of sessions, one file each. */
export class JsonlStore implements JournalStore {
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #files = new Map<SessionId, SessionFile>();
  readonly #writers = new Map<SessionId, Writer>();

  constructor(folder: string, disk: Disk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  async head(session: SessionId): Promise<StoredHead | undefined> {
    const file = this.#fileOf(session);
    file?.catchUp();
    return file && { leaf: file.leaf, entries: file.entries, forkedFrom: file.forkedFrom };
  }

  async entry(session: SessionId, id: EntryId): Promise<StoredEntry | undefined> {
    for (let file = this.#fileOf(session); file !== undefined; file = this.#parentOf(file)) {
      file.catchUp();
      const stored = file.entry(id);
      if (stored !== undefined) return stored;
    }
    return undefined;
  }

  async *branch(
    session: SessionId,
    o: { readonly from: EntryId; readonly downTo: number },
  ): AsyncIterable<StoredEntry> {
    const ahead = new Map<EntryId, string>();
    let wanted: EntryId | null = o.from;
    for (let file = this.#fileOf(session); file !== undefined; file = this.#parentOf(file)) {
      wanted = yield* file.branch(wanted, o.downTo, ahead);
      if (wanted === null) return;
      if (file.forkedFrom === null) throw damaged(file.path, 0, `entry ${wanted} is missing`);
    }
  }

  commit(session: SessionId, plan: AppendPlan): Promise<CommitOutcome> {
    return this.#writerOf(session).commit(plan);
  }

  async fork(from: SessionId, at: EntryId | null, to: SessionId): Promise<'forked' | 'exists'> {
    const header = { sessionId: to, forkedFrom: { sessionId: from, at } };
    return SessionFile.create(this.#disk, this.#folder, header) ? 'forked' : 'exists';
  }

  async sessions(): Promise<readonly SessionId[]> {
    return this.#disk.names(this.#folder).flatMap((name) => {
      const session = sessionOf(name);
      return session === 'cut' ? this.#sessionIn(name) : (session ?? []);
    });
  }

  async keep(session: SessionId, id: EntryId, snapshot: string): Promise<void> {
    this.#fileOf(session)?.keep(id, snapshot);
  }

  async *scan(session: SessionId): AsyncIterable<Scanned> {
    yield* scanFile(this.#disk, pathOf(this.#folder, session), session);
  }

  async verify(): Promise<readonly StoreProblem[]> {
    return (await this.sessions()).flatMap((sessionId) => {
      const message = this.#markProblem(pathOf(this.#folder, sessionId));
      return message === undefined ? [] : [{ sessionId, kind: 'corrupt' as const, message }];
    });
  }

  async close(): Promise<void> {
    for (const writer of this.#writers.values()) await writer.idle();
    const failures: unknown[] = [];
    for (const file of this.#files.values()) {
      try {
        file.close();
      } catch (error) {
        failures.push(error);
      }
    }
    this.#files.clear();
    if (failures.length === 0) return;
    const [cause] = failures;
    throw new JournalError('journal_write_failed', `the files in ${this.#folder} could not be closed`, { cause });
  }

  #fileOf(session: SessionId): SessionFile | undefined {
    const known = this.#files.get(session);
    if (known !== undefined) return known;
    const file = SessionFile.open(this.#disk, this.#folder, session);
    if (file !== undefined) this.#files.set(session, file);
    return file;
  }

  #parentOf({ forkedFrom, path }: SessionFile): SessionFile | undefined {
    if (forkedFrom === null || forkedFrom.at === null) return undefined;
    const parent = this.#fileOf(forkedFrom.sessionId);
    if (parent !== undefined) return parent;
    throw damaged(path, 0, `the file of session ${forkedFrom.sessionId}, which it was forked from, is gone`);
  }

  #writerOf(session: SessionId): Writer {
    const known = this.#writers.get(session);
    if (known !== undefined) return known;
    const writer = new Writer({
      open: () => this.#fileOf(session),
      create: () => {
        SessionFile.create(this.#disk, this.#folder, { sessionId: session, forkedFrom: null });
        const file = this.#fileOf(session);
        if (file === undefined) throw new Error(`the file of session ${session} was made, and is not there`);
        return file;
      },
    });
    this.#writers.set(session, writer);
    return writer;
  }

  /** The session of a file whose name is too short for its id. */
  #sessionIn(name: string): SessionId {
    const path = join(this.#folder, name);
    const { sessionId } = this.#reading(path, (file) => readLayout(this.#disk, file, path));
    if (fileNameOf(sessionId) === name) return sessionId;
    throw damaged(path, 0, `it is the file of session ${sessionId}`);
  }

  /** Damage that no reader stumbles over. Every other is told when the entries are read. */
  #markProblem(path: string): string | undefined {
    try {
      const mark = this.#reading(path, (file) => readMark(this.#disk, file, path, readLayout(this.#disk, file, path)));
      return mark === undefined
        ? `${path}: the mark of what was acknowledged is damaged; the next append writes it again`
        : undefined;
    } catch (error) {
      if (isJournalError(error)) return error.message;
      throw error;
    }
  }

  #reading<T>(path: string, read: (file: number) => T): T {
    const file = this.#disk.open(path);
    if (file === undefined) throw damaged(path, 0, 'it is gone');
    try {
      return read(file);
    } finally {
      this.#disk.close(file);
    }
  }
}
