import {
  type AppendOptions,
  type AppendOutcome,
  checkDraft,
  sessionId as checkSessionId,
  createEntryId,
  type Draft,
  type EntryId,
  emptyProjection,
  isJournalError,
  type Journal,
  type JournalEntry,
  JournalError,
  type Projection,
  projectBranch,
  type SessionId,
  type SessionSummary,
  type StoreProblem,
  type VerifyReport,
} from '@codicil/journal-records';
import { Appender } from './appender.ts';
import { type Disk, hostDisk } from './disk.ts';
import { fileNameOf, sessionOf } from './file-names.ts';
import type { ForkPoint } from './records.ts';
import { SessionFile } from './session-file.ts';

export interface JsonlOptions {
  /** Milliseconds since 1970-01-01 UTC; the machine's clock when left out. */
  readonly clock?: (() => number) | undefined;
  /** A shortcut for the next reader is left after so many entries. Left out: 1,024. */
  readonly checkpointEvery?: number | undefined;
  /** What the files lie on; this machine's disk when left out. */
  readonly disk?: Disk | undefined;
}

const CHECKPOINT_EVERY = 1_024;

/**
 * Opens a folder of sessions, one file each, and makes the folder where it is missing. Any number of processes may have it open at once; none of them holds a lock. Rejects
 * with a `JournalError`.
 */
export async function openJsonlJournal(folder: string, o: JsonlOptions = {}): Promise<Journal> {
  const disk = o.disk ?? hostDisk;
  attempting(`the folder ${folder} cannot be used`, () => disk.makeFolder(folder));
  return new JsonlJournal(folder, disk, o.clock ?? Date.now, o.checkpointEvery ?? CHECKPOINT_EVERY);
}

class JsonlJournal implements Journal {
  readonly #folder: string;
  readonly #disk: Disk;
  readonly #clock: () => number;
  readonly #checkpointEvery: number;
  readonly #appenders = new Map<SessionId, Appender>();
  #isClosed = false;

  constructor(folder: string, disk: Disk, clock: () => number, checkpointEvery: number) {
    this.#folder = folder;
    this.#disk = disk;
    this.#clock = clock;
    this.#checkpointEvery = checkpointEvery;
  }

  async append(sessionId: SessionId, draft: Draft, o: AppendOptions): Promise<AppendOutcome> {
    this.#enter(sessionId);
    o.signal?.throwIfAborted();
    const checked = checkDraft(draft);
    const file = this.#fileOf(sessionId);
    if (file === undefined) {
      if (o.expectedLeaf !== 'any' && o.expectedLeaf !== null) return { kind: 'conflict', leaf: null };
      if (typeof o.parent === 'string') throw unknownEntry(sessionId, o.parent);
      this.#create(sessionId, null);
    }
    const appender = this.#appenderOf(sessionId);
    appender.file.catchUp();
    const parent = typeof o.parent === 'string' ? this.#entryOf(appender.file, o.parent) : o.parent;
    if (checked.kind === 'compaction' && checked.keepFrom !== null) {
      this.#checkKeepFrom(
        appender.file,
        checked.keepFrom,
        parent === undefined ? appender.file.projection.leaf : (parent?.id ?? null),
      );
    }
    return appender.append({
      expectedLeaf: o.expectedLeaf,
      parent,
      draft: checked,
      head: { id: createEntryId(), sessionId, at: Math.trunc(this.#clock()) },
      signal: o.signal,
    });
  }

  async projection(sessionId: SessionId): Promise<Projection> {
    this.#enter(sessionId);
    const file = this.#fileOf(sessionId);
    if (file === undefined) return emptyProjection;
    attempting(`session ${sessionId} cannot be read`, () => file.catchUp());
    return file.projection;
  }

  async *branch(sessionId: SessionId, o?: { readonly from?: EntryId | undefined }): AsyncIterable<JournalEntry> {
    this.#enter(sessionId);
    const file = this.#fileOf(sessionId);
    if (file === undefined) {
      if (o?.from !== undefined) throw unknownEntry(sessionId, o.from);
      return;
    }
    file.catchUp();
    yield* this.#walk(file, o?.from === undefined ? file.projection.leaf : this.#entryOf(file, o.from).id);
  }

  async fork(from: SessionId, at: EntryId | null, to: SessionId): Promise<Projection> {
    this.#enter(from);
    this.#enter(to);
    const file = this.#fileOf(from);
    if (file === undefined) throw new JournalError('journal_unknown_session', `there is no session ${from} to fork`);
    if (at !== null) this.#entryOf(file, at);
    if (!this.#create(to, { sessionId: from, at })) {
      throw new JournalError('journal_session_exists', `there is a session ${to} already`);
    }
    return this.projection(to);
  }

  async sessions(): Promise<readonly SessionSummary[]> {
    this.#enter();
    return this.#ids().map((id) => {
      const { file } = this.#appenderOf(id);
      file.catchUp();
      return { id, entries: file.entries, leaf: file.projection.leaf, forkedFrom: file.forkedFrom };
    });
  }

  async verify(): Promise<VerifyReport> {
    this.#enter();
    const problems: StoreProblem[] = [];
    let entries = 0;
    const ids = this.#ids();
    for (const sessionId of ids) {
      try {
        const { file } = this.#appenderOf(sessionId);
        const report = file.inspect();
        entries += report.entries;
        for await (const _ of this.#walk(file, file.projection.leaf));
        if (report.tornAt === undefined) continue;
        file.seal();
        const message = `${file.path}: the write at byte ${report.tornAt} was cut off and never acknowledged; it was closed and is passed over`;
        problems.push({ sessionId, kind: 'torn-tail', message });
      } catch (error) {
        if (!isJournalError(error)) throw error;
        problems.push({ sessionId, kind: 'corrupt', message: error.message });
      }
    }
    return { sessions: ids.length, entries, problems };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const appender of this.#appenders.values()) await appender.close();
  }

  #enter(sessionId?: SessionId): void {
    if (this.#isClosed) throw new JournalError('journal_closed', 'the journal was closed');
    if (sessionId !== undefined) checkSessionId(sessionId);
  }

  #ids(): readonly SessionId[] {
    const names = attempting(`the folder ${this.#folder} cannot be listed`, () => this.#disk.names(this.#folder));
    return names.flatMap((name) => sessionOf(name) ?? []).sort();
  }

  #create(sessionId: SessionId, forkedFrom: ForkPoint | null): boolean {
    const unique = `${fileNameOf(sessionId)}.${createEntryId()}`;
    return attempting(`the file of session ${sessionId} cannot be made`, () =>
      SessionFile.create(this.#disk, this.#folder, sessionId, forkedFrom, unique),
    );
  }

  #fileOf(sessionId: SessionId): SessionFile | undefined {
    const known = this.#appenders.get(sessionId);
    if (known !== undefined) return known.file;
    const file = attempting(`the file of session ${sessionId} cannot be opened`, () =>
      SessionFile.open(this.#disk, this.#folder, sessionId, (point, own) => this.#projectionAt(point, own)),
    );
    if (file !== undefined) this.#appenders.set(sessionId, new Appender(file, this.#checkpointEvery));
    return file;
  }

  #appenderOf(sessionId: SessionId): Appender {
    this.#fileOf(sessionId);
    const appender = this.#appenders.get(sessionId);
    if (appender !== undefined) return appender;
    throw new JournalError('journal_corrupt', `the file of session ${sessionId} is gone; restore it from a backup`);
  }

  #projectionAt({ sessionId, at }: ForkPoint, own?: SessionFile): Projection {
    if (at === null) return emptyProjection;
    return projectBranch(this.#walk(own ?? this.#appenderOf(sessionId).file, at));
  }

  /** From an entry back to the first, through the files of the sessions that this one was forked from. */
  *#walk(start: SessionFile, from: EntryId | null): Generator<JournalEntry> {
    let file = start;
    let wanted = yield* file.branchFrom(from);
    while (wanted !== null) {
      if (file.forkedFrom === null) {
        throw new JournalError('journal_corrupt', `${file.path} is damaged: entry ${wanted} is missing from it`);
      }
      file = this.#appenderOf(file.forkedFrom.sessionId).file;
      wanted = yield* file.branchFrom(wanted);
    }
  }

  /** The entry, if it lies on a branch of the session: one of its own, or before the place where it was forked off. */
  #entryOf(file: SessionFile, id: EntryId): JournalEntry {
    const own = file.acceptedEntry(id);
    if (own !== undefined) return own;
    for (const entry of this.#walk(file, file.forkedFrom?.at ?? null)) if (entry.id === id) return entry;
    throw unknownEntry(file.sessionId, id);
  }

  #checkKeepFrom(
    file: SessionFile,
    keepFrom: { readonly id: EntryId; readonly depth: number },
    parent: EntryId | null,
  ): void {
    for (const entry of this.#walk(file, parent)) {
      if (entry.id === keepFrom.id && entry.depth === keepFrom.depth) return;
      if (entry.id === keepFrom.id) {
        throw new JournalError(
          'journal_invalid_draft',
          `entry ${keepFrom.id} is at depth ${entry.depth}, not ${keepFrom.depth}`,
        );
      }
    }
    throw new JournalError('journal_unknown_entry', `the branch has no entry ${keepFrom.id} to keep from`);
  }
}

function unknownEntry(sessionId: SessionId, id: EntryId): JournalError {
  return new JournalError('journal_unknown_entry', `no branch of session ${sessionId} has an entry ${id}`);
}

function attempting<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (isJournalError(cause)) throw cause;
    throw new JournalError('journal_write_failed', `${what}: ${(cause as Error).message}`, { cause });
  }
}
