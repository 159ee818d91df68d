import { join } from 'node:path';
import { type EntryId, JournalError, type SessionId, type StoredEntry } from '@codicil/journal-records';
import type { Disk } from './disk.ts';
import { fileNameOf } from './file-names.ts';
import { beginsWith, frame, markText, parseLine } from './format.ts';
import { beginning, damaged, isOfSession, type Layout, readLayout, readMark, writeWhole } from './layout.ts';
import { linesBackward } from './lines.ts';
import {
  attemptJson,
  type ForkPoint,
  type Place,
  parseRecord,
  passedJson,
  SNAPSHOT,
  type Snapshot,
  snapshotJson,
} from './records.ts';
import { isWithin, replay } from './replay.ts';

/** An entry, and the leaf that it was decided upon. */
export interface Attempt {
  readonly expected: EntryId | null;
  readonly stored: StoredEntry;
}

/** Snapshots whose entry was not met yet while reading backwards; older ones are let go. */
const MAX_SNAPSHOTS_AHEAD = 16;

/** The file of one session, and where it stands. Every process reads the same file to the same leaf. */
export class SessionFile {
  readonly sessionId: SessionId;
  readonly path: string;
  readonly forkedFrom: ForkPoint | null;
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #file: number;
  readonly #layout: Layout;
  #inPlace: number | undefined;
  #leaf: EntryId | null;
  #entries = 0;
  /** Everything before this offset is read. */
  #folded: number;
  /** So much is known to be on the disk. */
  #synced = 0;
  #mark = 0;
  /** Cut-off writes that were passed over, and not yet said to be nothing. */
  #unsaid: Place[] = [];
  /** The one at the end, which nothing has closed yet. */
  #torn: Place | undefined;
  #isNameDurable = false;
  /** What is being written, and what of it came in. */
  #mine: ReadonlySet<EntryId> = new Set();
  #accepted: Set<EntryId> = new Set();
  #acceptedTo = 0;

  private constructor(disk: Disk, folder: string, file: number, layout: Layout) {
    this.#disk = disk;
    this.#folder = folder;
    this.#file = file;
    this.#layout = layout;
    this.sessionId = layout.sessionId;
    this.forkedFrom = layout.forkedFrom;
    this.path = pathOf(folder, layout.sessionId);
    this.#leaf = layout.forkedFrom?.at ?? null;
    this.#folded = layout.start;
  }

  /** `undefined` when the session has no file. Reads from the last snapshot on. */
  static open(disk: Disk, folder: string, sessionId: SessionId): SessionFile | undefined {
    const path = pathOf(folder, sessionId);
    const file = disk.open(path);
    if (file === undefined) return undefined;
    try {
      const opened = new SessionFile(disk, folder, file, isOfSession(readLayout(disk, file, path), sessionId, path));
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
    header: { readonly sessionId: SessionId; readonly forkedFrom: ForkPoint | null },
  ): boolean {
    const name = fileNameOf(header.sessionId);
    const draft = join(folder, `.${name}.${crypto.randomUUID()}.new`);
    const file = disk.create(draft);
    try {
      try {
        writeWhole(disk, file, beginning(header));
        disk.sync(file);
      } finally {
        disk.close(file);
      }
      const isMine = disk.publish(draft, join(folder, name));
      disk.syncFolder(folder);
      return isMine;
    } finally {
      disk.remove(draft);
    }
  }

  get leaf(): EntryId | null {
    return this.#leaf;
  }

  /** Entries of the session itself, those of its fork's past left out. */
  get entries(): number {
    return this.#entries;
  }

  close(): void {
    try {
      if (this.#inPlace !== undefined) this.#disk.close(this.#inPlace);
    } finally {
      this.#disk.close(this.#file);
    }
  }

  /** Reads what was appended since, by whomever. */
  catchUp(): void {
    if (this.#disk.size(this.#file) === this.#folded) return;
    const mark = this.#readMark();
    const size = this.#disk.size(this.#file);
    if (size < this.#folded) throw damaged(this.path, size, 'the file became shorter');
    this.#torn = undefined;
    const stretch = {
      ...this.#whole,
      from: this.#folded,
      to: size,
      leaf: this.#leaf,
      mark,
      isTailBroken: this.#unsaid.length > 0,
    };
    for (const read of replay(stretch)) {
      if (read.kind === 'bad') {
        if (read.isAcknowledged) throw damaged(this.path, read.offset, read.why);
        const place = { from: read.offset, to: read.end };
        if (!read.isClosed) {
          // It may still be growing: it is looked at again.
          this.#torn = place;
          this.#folded = read.offset;
          return;
        }
        this.#unsaid.push(place);
      }
      if (read.kind === 'accepted') this.#accept(read.stored.id, read.end);
      this.#folded = read.end;
    }
    this.#folded = size;
  }

  /**
   * Appends attempts in one write, makes them durable, and reads them with whatever else came in. `later` gives the event loop back meanwhile. Whoever calls
   * has caught up, and has found that the first one expects the leaf and each other one the one before it. Answers the ids that came in.
   */
  async write(attempts: readonly Attempt[], later: boolean): Promise<ReadonlySet<EntryId>> {
    this.#makeNameDurable();
    const said = this.#torn === undefined ? this.#unsaid : [...this.#unsaid, this.#torn];
    const isAtEnd = this.#torn === undefined;
    const start = this.#folded;
    this.#mine = new Set(attempts.map(({ stored }) => stored.id));
    const accepted = new Set<EntryId>();
    this.#accepted = accepted;
    this.#acceptedTo = 0;
    try {
      const length = writeWhole(
        this.#disk,
        this.#file,
        this.#saying(said) +
          attempts.map(({ expected, stored }) => this.#frame(attemptJson(expected, stored))).join(''),
      );
      const end = this.#disk.size(this.#file);
      await this.#sync(end, later);
      this.#unsaid = this.#unsaid.filter((place) => !said.includes(place));
      // Nobody wrote or read in between: what lies there is known without reading it.
      if (isAtEnd && this.#folded === start && end === start + length) {
        for (const { stored } of attempts) this.#accept(stored.id, end);
        this.#folded = end;
      } else this.catchUp();
      await this.#sayWhatWasPassed(later);
      this.#acknowledge(this.#acceptedTo);
      return accepted;
    } finally {
      this.#mine = new Set();
    }
  }

  /** Leaves a snapshot, and with it the shortcut that spares the next reader the way from the beginning. It stands upon nothing that may yet be lost. */
  keep(of: EntryId, state: string): void {
    this.catchUp();
    if (this.#folded > this.#synced) {
      const size = this.#disk.size(this.#file);
      this.#disk.sync(this.#file);
      this.#synced = size;
    }
    const snapshot: Snapshot = { of, upTo: this.#folded, leaf: this.#leaf, entries: this.#entries, state };
    writeWhole(this.#disk, this.#file, this.#frame(snapshotJson(snapshot)));
  }

  /**
   * The entries of this file from one back to the first, or to a depth, each with its snapshot. Answers the id of the one that the fork continues from; `null` when there
   * is no more to be given. `ahead` holds the snapshots that were met before their entry.
   */
  *branch(from: EntryId, downTo: number, ahead: Map<EntryId, string>): Generator<StoredEntry, EntryId | null> {
    let wanted = from;
    for (const record of this.#recordsBackward()) {
      if (wanted === this.forkedFrom?.at) return wanted;
      if (record.kind === 'snapshot' && !ahead.has(record.of)) ahead.set(record.of, record.state);
      for (const id of ahead.keys()) if (ahead.size > MAX_SNAPSHOTS_AHEAD) ahead.delete(id);
      if (record.kind !== 'attempt' || record.stored.id !== wanted) continue;
      yield { ...record.stored, snapshot: ahead.get(wanted) };
      ahead.delete(wanted);
      const { parentId, depth } = record.stored;
      if (parentId === null || depth <= downTo) return null;
      wanted = parentId;
    }
    return wanted;
  }

  /** The entry of that id, if it came into this file. Each entry that came in names the one that came in before it. */
  entry(id: EntryId): StoredEntry | undefined {
    let next = this.#leaf;
    if (next === this.#whole.origin) return undefined;
    for (const record of this.#recordsBackward(this.#folded)) {
      if (record.kind !== 'attempt' || record.stored.id !== next) continue;
      if (next === id) return record.stored;
      next = record.expected;
      if (next === this.#whole.origin) return undefined;
    }
    throw damaged(this.path, this.#layout.start, `entry ${next} is missing`);
  }

  get #whole() {
    const { sessionId } = this;
    return { disk: this.#disk, file: this.#file, sessionId, origin: this.forkedFrom?.at ?? null };
  }

  #frame(json: string): string {
    return frame(json, this.sessionId);
  }

  #saying(places: readonly Place[]): string {
    return places.map((place) => this.#frame(passedJson(place))).join('');
  }

  /** What was passed over below the mark has to be known as such to whoever reads it later. */
  async #sayWhatWasPassed(later: boolean): Promise<void> {
    while (this.#acceptedTo > 0 && this.#unsaid.length > 0) {
      const said = this.#unsaid;
      writeWhole(this.#disk, this.#file, this.#saying(said));
      await this.#sync(this.#disk.size(this.#file), later);
      this.#unsaid = this.#unsaid.filter((place) => !said.includes(place));
      this.catchUp();
    }
  }

  async #sync(size: number, later: boolean): Promise<void> {
    try {
      if (later) await this.#disk.syncLater(this.#file);
      else this.#disk.sync(this.#file);
    } catch (cause) {
      throw new JournalError(
        'journal_sync_failed',
        `${this.path}: the disk did not take what was written; open the journal again to see what is there`,
        { cause },
      );
    }
    this.#synced = Math.max(this.#synced, size);
  }

  /** Another process may have made the file, and died before its name was on the disk. */
  #makeNameDurable(): void {
    if (this.#isNameDurable) return;
    this.#disk.syncFolder(this.#folder);
    this.#isNameDurable = true;
  }

  #accept(id: EntryId, end: number): void {
    this.#leaf = id;
    this.#entries++;
    if (!this.#mine.has(id)) return;
    this.#accepted.add(id);
    this.#acceptedTo = end;
  }

  /** After the sync and before anyone is told: from now on, less than this is damage. */
  #acknowledge(to: number): void {
    if (to <= this.#mark) return;
    this.#inPlace ??= this.#disk.openInPlace(this.path);
    const bytes = Buffer.from(markText(this.sessionId, to));
    const count = this.#disk.overwrite(this.#inPlace, bytes, this.#layout.markAt);
    if (count !== bytes.length) throw new Error(`only ${count} of ${bytes.length} bytes of the mark could be written`);
    this.#mark = to;
  }

  #readMark(): number {
    this.#mark = Math.max(this.#mark, readMark(this.#disk, this.#file, this.path, this.#layout) ?? 0);
    return this.#mark;
  }

  #restore(): void {
    this.#readMark();
    for (const { offset, bytes } of linesBackward(this.#disk, this.#file, this.#disk.size(this.#file))) {
      if (offset <= this.#layout.start) break;
      if (!beginsWith(bytes, SNAPSHOT)) continue;
      const parsed = parseLine(bytes, this.sessionId);
      const record = parsed.kind === 'record' ? parseRecord(parsed.json) : undefined;
      if (record?.kind !== 'snapshot') continue;
      if (record.upTo > offset) throw damaged(this.path, offset, 'something before it is missing');
      this.#leaf = record.leaf;
      this.#entries = record.entries;
      this.#folded = record.upTo;
      break;
    }
    this.catchUp();
  }

  /** Every record before an end, last to first. Throws for damage. */
  *#recordsBackward(end?: number) {
    const mark = this.#readMark();
    const to = end ?? this.#disk.size(this.#file);
    const passed: Place[] = [];
    for (const { offset, bytes } of linesBackward(this.#disk, this.#file, to)) {
      if (offset <= this.#layout.start) return;
      const parsed = parseLine(bytes, this.sessionId);
      if (parsed.kind === 'blank') continue;
      const soundTo = offset + (parsed.kind === 'record' ? parsed.length : 0);
      const end = offset + bytes.length;
      if (soundTo < Math.min(end, mark) && !isWithin(passed, soundTo, end)) {
        throw damaged(this.path, soundTo, parsed.kind === 'bad' ? parsed.why : 'zeros follow the record');
      }
      if (parsed.kind === 'bad') continue;
      const record = parseRecord(parsed.json);
      if (record.kind === 'passed') passed.push(record);
      yield record;
    }
  }
}

export function pathOf(folder: string, sessionId: SessionId): string {
  return join(folder, fileNameOf(sessionId));
}
