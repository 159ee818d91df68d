import { join } from 'node:path';
import {
  BranchFold,
  type EntryId,
  emptyProjection,
  type JournalEntry,
  JournalError,
  type Projection,
  type SessionId,
} from '@codicil/journal-records';
import type { Disk } from './disk.ts';
import { fileNameOf } from './file-names.ts';
import { frame, parseLine } from './format.ts';
import { linesBackward, linesForward, type PlacedLine } from './lines.ts';
import {
  attemptJson,
  checkpointJson,
  type ForkPoint,
  headerJson,
  isCheckpoint,
  parseRecord,
  type StoredRecord,
} from './records.ts';

/** A record and where its line begins. */
interface PlacedRecord {
  readonly offset: number;
  readonly record: StoredRecord;
}

/** An entry, and the leaf that it was decided upon. */
export interface Attempt {
  readonly expected: EntryId | null;
  readonly entry: JournalEntry;
}

export interface FileReport {
  readonly entries: number;
  /** The offset of a cut-off write at the end that nothing has closed yet. */
  readonly tornAt: number | undefined;
}

/** The file of one session, and the state that it stands for. Every process folds the same file to the same state. */
export class SessionFile {
  readonly sessionId: SessionId;
  readonly path: string;
  readonly forkedFrom: ForkPoint | null;
  readonly #disk: Disk;
  readonly #file: number;
  readonly #projectionAt: ProjectionAt;
  #fold: BranchFold;
  #projection: Projection;
  /** The leaf while folding; `projection.leaf` once folded. */
  #leaf: EntryId | null = null;
  #entries = 0;
  /** Everything before this offset is folded. */
  #folded = 0;
  #sinceCheckpoint = 0;
  #onAccepted: ((id: EntryId) => void) | undefined;

  private constructor(disk: Disk, path: string, file: number, header: PlacedRecord, projectionAt: ProjectionAt) {
    if (header.record.kind !== 'header') throw damaged(path, header.offset, 'the file does not begin with its header');
    this.#disk = disk;
    this.#file = file;
    this.path = path;
    this.sessionId = header.record.sessionId;
    this.forkedFrom = header.record.forkedFrom;
    this.#projectionAt = projectionAt;
    this.#fold = new BranchFold();
    this.#projection = emptyProjection;
  }

  /** `undefined` when the session has no file. */
  static open(disk: Disk, folder: string, sessionId: SessionId, projectionAt: ProjectionAt): SessionFile | undefined {
    const path = join(folder, fileNameOf(sessionId));
    const file = disk.open(path);
    if (file === undefined) return undefined;
    try {
      const header = firstRecord(disk, file, path);
      const opened = new SessionFile(disk, path, file, header, projectionAt);
      if (opened.sessionId !== sessionId) throw damaged(path, 0, `it is the file of session ${opened.sessionId}`);
      opened.#restore();
      return opened;
    } catch (error) {
      disk.close(file);
      throw error;
    }
  }

  /** Makes the file, whole with its header, or finds that another process has made it. `true` when it was made here. */
  static create(
    disk: Disk,
    folder: string,
    sessionId: SessionId,
    forkedFrom: ForkPoint | null,
    unique: string,
  ): boolean {
    const draft = join(folder, `.${unique}.new`);
    const file = disk.create(draft);
    try {
      writeWhole(disk, file, Buffer.from(frame(headerJson(sessionId, forkedFrom))));
      disk.sync(file);
      const isMine = disk.publish(draft, join(folder, fileNameOf(sessionId)));
      disk.syncFolder(folder);
      return isMine;
    } finally {
      disk.close(file);
      disk.remove(draft);
    }
  }

  get projection(): Projection {
    return this.#projection;
  }

  /** Entries of the session itself, those of its fork's past left out. */
  get entries(): number {
    return this.#entries;
  }

  get sinceCheckpoint(): number {
    return this.#sinceCheckpoint;
  }

  close(): void {
    this.#disk.close(this.#file);
  }

  /** Folds what was appended since, by whomever. */
  catchUp(): void {
    const size = this.#disk.size(this.#file);
    if (size < this.#folded) throw damaged(this.path, size, 'the file became shorter');
    if (size === this.#folded) return;
    for (const line of linesForward(this.#disk, this.#file, this.#folded, size)) {
      const record = this.#recordIn(line, size);
      // A last line without its break may still be growing: it is looked at again.
      if (record === undefined && !line.isClosed) {
        this.#folded = line.offset;
        this.#projection = this.#fold.projection();
        return;
      }
      if (record?.kind === 'attempt') this.#consider(record.expected, record.entry);
      if (record?.kind === 'checkpoint') this.#sinceCheckpoint = 0;
    }
    this.#folded = size;
    this.#projection = this.#fold.projection();
  }

  /**
   * Appends attempts in one write, makes them durable, and folds them with whatever else came in. `later` gives the event loop back meanwhile.
   * Answers the projection right after each one that came in, by its id.
   */
  async write(attempts: readonly Attempt[], later: boolean): Promise<ReadonlyMap<EntryId, Projection>> {
    const mine = new Map<EntryId, Projection>();
    const ids = new Set(attempts.map(({ entry }) => entry.id));
    const bytes = Buffer.from(attempts.map(({ expected, entry }) => frame(attemptJson(expected, entry))).join(''));
    const start = this.#folded;
    this.#onAccepted = (id) => {
      if (ids.has(id)) mine.set(id, this.#fold.projection());
    };
    try {
      writeWhole(this.#disk, this.#file, bytes);
      if (later) await this.#disk.syncLater(this.#file);
      else this.#disk.sync(this.#file);
      // Nobody wrote or read in between: what lies there is known without reading it.
      if (this.#folded === start && this.#disk.size(this.#file) === start + bytes.length) {
        this.#folded += bytes.length;
        for (const { expected, entry } of attempts) this.#consider(expected, entry);
        this.#projection = this.#fold.projection();
      } else this.catchUp();
    } finally {
      this.#onAccepted = undefined;
    }
    return mine;
  }

  /** Leaves the shortcut that spares the next reader the way from the beginning. */
  writeCheckpoint(): void {
    this.catchUp();
    writeWhole(
      this.#disk,
      this.#file,
      Buffer.from(frame(checkpointJson(this.#folded, this.#entries, this.#projection))),
    );
    this.#sinceCheckpoint = 0;
  }

  /** The entries of this file from `from` back to the first, and then the one that the fork continues from, if any. */
  *branchFrom(from: EntryId | null): Generator<JournalEntry, EntryId | null> {
    let wanted = from;
    if (wanted === null) return null;
    const size = this.#disk.size(this.#file);
    for (const line of linesBackward(this.#disk, this.#file, size)) {
      const record = this.#recordIn(line, size);
      if (record?.kind !== 'attempt' || record.entry.id !== wanted) continue;
      yield record.entry;
      wanted = record.entry.parentId;
      if (wanted === null) return null;
    }
    return wanted;
  }

  /** The entry of that id, if it was accepted into this file. Reads the file from its beginning. */
  acceptedEntry(id: EntryId): JournalEntry | undefined {
    let leaf = this.forkedFrom?.at ?? null;
    const size = this.#disk.size(this.#file);
    for (const line of linesForward(this.#disk, this.#file, 0, size)) {
      const record = this.#recordIn(line, size);
      if (record?.kind !== 'attempt' || record.expected !== leaf) continue;
      leaf = record.entry.id;
      if (record.entry.id === id) return record.entry;
    }
    return undefined;
  }

  /** Reads every line. Throws for damage, a missing line included; a write that was cut off at the end is told. */
  inspect(): FileReport {
    const size = this.#disk.size(this.#file);
    const start = this.forkedFrom?.at ?? null;
    const tried = new Set<EntryId | null>([start]);
    let entries = 0;
    let leaf = start;
    let tornAt: number | undefined;
    for (const line of linesForward(this.#disk, this.#file, 0, size)) {
      const record = this.#recordIn(line, size);
      if (record === undefined && !line.isClosed && line.bytes.length > 0) tornAt = line.offset;
      if (record?.kind !== 'attempt') continue;
      // Whoever was too late had seen a leaf that stood here once.
      if (!tried.has(record.expected))
        throw damaged(this.path, line.offset, `entry ${record.expected} before it is missing`);
      tried.add(record.entry.id);
      if (record.expected !== leaf) continue;
      leaf = record.entry.id;
      entries++;
    }
    return { entries, tornAt };
  }

  /** Closes a cut-off write, so that no one takes it for one that is still going on. */
  seal(): void {
    writeWhole(this.#disk, this.#file, Buffer.from('\n'));
    this.#disk.sync(this.#file);
  }

  #restore(): void {
    const size = this.#disk.size(this.#file);
    const start = this.forkedFrom === null ? emptyProjection : this.#projectionAt(this.forkedFrom);
    let from: { upTo: number; entries: number; projection: Projection } = { upTo: 0, entries: 0, projection: start };
    for (const line of linesBackward(this.#disk, this.#file, size)) {
      const parsed = parseLine(line.bytes);
      if (parsed.kind !== 'record' || !isCheckpoint(parsed.json)) continue;
      const record = parseRecord(parsed.json);
      if (record.kind === 'checkpoint') from = record;
      break;
    }
    this.#fold = new BranchFold(from.projection);
    this.#projection = from.projection;
    this.#leaf = from.projection.leaf;
    this.#entries = from.entries;
    this.#folded = from.upTo;
    this.catchUp();
  }

  /** The rule of the file: whoever expected the leaf that stands here comes in, everyone else was too late. */
  #consider(expected: EntryId | null, entry: JournalEntry): void {
    if (expected !== this.#leaf) return;
    if (entry.parentId !== this.#leaf) this.#fold = new BranchFold(this.#projectionBefore(entry.parentId));
    this.#fold.add(entry);
    this.#leaf = entry.id;
    this.#entries++;
    this.#sinceCheckpoint++;
    this.#onAccepted?.(entry.id);
  }

  /** The state of an older place that the branch goes back to. */
  #projectionBefore(parentId: EntryId | null): Projection {
    if (parentId === null) return emptyProjection;
    return this.#projectionAt({ sessionId: this.sessionId, at: parentId }, this);
  }

  /** `undefined` for blank lines and cut-off writes. Throws for damage. */
  #recordIn(line: PlacedLine, size: number): StoredRecord | undefined {
    const parsed = parseLine(line.bytes);
    if (parsed.kind === 'record') return parseRecord(parsed.json);
    if (parsed.kind === 'damaged') {
      // Zeros inside a last write are a power failure in the middle of it: nobody was told that it was written.
      const isLast = line.offset + line.bytes.length >= size;
      if (isLast && line.bytes.includes(0)) return undefined;
      throw damaged(this.path, line.offset, parsed.why);
    }
    return undefined;
  }
}

/** The projection at an entry of a session's branches. `file` is the session's own, if the caller has it open already. */
export type ProjectionAt = (point: ForkPoint, file?: SessionFile) => Projection;

function firstRecord(disk: Disk, file: number, path: string): PlacedRecord {
  for (const line of linesForward(disk, file, 0, disk.size(file))) {
    const parsed = parseLine(line.bytes);
    if (parsed.kind === 'blank') continue;
    if (parsed.kind !== 'record') break;
    return { offset: line.offset, record: parseRecord(parsed.json) };
  }
  throw new JournalError('journal_unknown_format', `${path} is not a journal: it does not begin with a header`);
}

/** All of it in one call, or an error: what was written of it then is a cut-off write, closed by the next record. */
function writeWhole(disk: Disk, file: number, bytes: Buffer): void {
  const count = disk.write(file, bytes);
  if (count !== bytes.length) throw new Error(`only ${count} of ${bytes.length} bytes could be written`);
}

function damaged(path: string, offset: number, why: string): JournalError {
  return new JournalError(
    'journal_corrupt',
    `${path} is damaged at byte ${offset}: ${why}; keep the file, restore it from a backup, or go on in a new session`,
  );
}
