import {
  type AppendOutcome,
  createEntry,
  type Draft,
  type EntryHead,
  type EntryId,
  isJournalError,
  type JournalEntry,
  JournalError,
} from '@codicil/journal-records';
import type { Attempt, SessionFile } from './session-file.ts';

/** What a caller wants appended. */
export interface Wanted {
  readonly expectedLeaf: EntryId | null | 'any';
  /** The entry to continue from; `null` begins anew; `undefined` continues from the leaf. */
  readonly parent: JournalEntry | null | undefined;
  readonly draft: Draft;
  readonly head: Pick<EntryHead, 'id' | 'sessionId' | 'at'>;
  readonly signal: AbortSignal | undefined;
}

interface Waiting {
  readonly wanted: Wanted;
  resolve(outcome: AppendOutcome): void;
  reject(reason: unknown): void;
}

/** Milliseconds that a sync may take before the event loop is given back during the next ones. */
const PATIENCE = 2;
/** Entries that are read faster than a shortcut past them. */
const WORTH_A_SHORTCUT = 16;

/** Takes the appends of one process to one session, and writes all that wait at once: one write and one sync for the lot. */
export class Appender {
  readonly file: SessionFile;
  readonly #checkpointEvery: number;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #lastSync = 0;
  /** Set when a sync failed: what lies in the file then is not known to be on the disk. */
  #broken: unknown;

  constructor(file: SessionFile, checkpointEvery: number) {
    this.file = file;
    this.#checkpointEvery = checkpointEvery;
  }

  append(wanted: Wanted): Promise<AppendOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wanted, resolve, reject });
      this.#running ??= Promise.resolve().then(() => this.#run());
    });
  }

  async close(): Promise<void> {
    await this.#running;
    if (this.#broken === undefined && this.file.sinceCheckpoint >= WORTH_A_SHORTCUT) this.#leaveShortcut();
    this.file.close();
  }

  /** Nothing depends on it, and whoever appended has its answer: a full disk is told to the next append, damage to the next reader. */
  #leaveShortcut(): void {
    try {
      this.file.writeCheckpoint();
    } catch {
      return;
    }
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(batch);
      } catch (cause) {
        const error = isJournalError(cause) ? cause : writeFailed(this.file, cause);
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = undefined;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    this.file.catchUp();
    const attempts: Attempt[] = [];
    const late: Waiting[] = [];
    const trying: { readonly waiting: Waiting; readonly entry: JournalEntry }[] = [];
    let { leaf, depth } = this.file.projection;
    for (const waiting of batch) {
      const { expectedLeaf, parent, draft, head, signal } = waiting.wanted;
      if (signal?.aborted) {
        waiting.reject(signal.reason);
        continue;
      }
      if (expectedLeaf !== 'any' && expectedLeaf !== leaf) {
        late.push(waiting);
        continue;
      }
      const before = parent === undefined ? { id: leaf, depth } : parent;
      const entry = createEntry({ ...head, parentId: before?.id ?? null, depth: (before?.depth ?? -1) + 1 }, draft);
      attempts.push({ expected: leaf, entry });
      trying.push({ waiting, entry });
      leaf = entry.id;
      depth = entry.depth;
    }
    const accepted = attempts.length === 0 ? new Map() : await this.#writeDurably(attempts);
    for (const { waiting, entry } of trying) {
      const projection = accepted.get(entry.id);
      if (projection !== undefined) waiting.resolve({ kind: 'appended', entry, projection });
      // Another process was faster. Whoever did not care which leaf it was is tried again.
      else if (waiting.wanted.expectedLeaf === 'any') this.#waiting.push(waiting);
      else late.push(waiting);
    }
    for (const { resolve } of late) resolve({ kind: 'conflict', leaf: this.file.projection.leaf });
    if (this.file.sinceCheckpoint >= this.#checkpointEvery) this.#leaveShortcut();
  }

  async #writeDurably(attempts: readonly Attempt[]): ReturnType<SessionFile['write']> {
    const start = performance.now();
    const later = attempts.length > 1 || this.#lastSync > PATIENCE;
    try {
      return await this.file.write(attempts, later);
    } catch (cause) {
      if ((cause as { readonly syscall?: unknown }).syscall === 'fdatasync') {
        this.#broken = new JournalError(
          'journal_write_failed',
          `${this.file.path}: the disk did not take what was written; open the journal again to see what is there`,
          { cause },
        );
      }
      throw cause;
    } finally {
      this.#lastSync = performance.now() - start;
    }
  }
}

function writeFailed(file: SessionFile, cause: unknown): JournalError {
  return new JournalError(
    'journal_write_failed',
    `${file.path} could not be appended to: ${(cause as Error).message}`,
    { cause },
  );
}
