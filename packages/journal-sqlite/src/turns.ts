import { setImmediate, setTimeout } from 'node:timers/promises';
import { JournalError } from '@codicil/journal-records';
import type { Database, Statement } from './driver.ts';
import { asJournalError, type Doing, isBusy } from './failures.ts';
import type { Seq } from './rows.ts';

/** For so long after another connection wrote, a writer leaves gaps, in milliseconds. */
const SHARED_FOR = 1_000;
/** The gap: longer than a waiting writer takes between two attempts. */
const GAP = 3;
const BETWEEN_ATTEMPTS = 1;

export interface TurnOptions {
  readonly file: string;
  /** Milliseconds after which a wait for other writers fails. */
  readonly maxWait: number;
}

/**
 * Whose turn it is to use the database. Calls of one opening come one after another. SQLite keeps no queue of the processes that wait, so whoever writes
 * without a pause could keep all others out: an opening that has seen another one write leaves a gap before its next write, and a waiting one
 * tries more often than the gap is long.
 */
export class Turns {
  readonly #database: Database;
  readonly #options: TurnOptions;
  readonly #begin;
  readonly #beginToWrite;
  readonly #commit;
  readonly #rollback;
  #last: Promise<unknown> = Promise.resolve();
  #nextSeq: Seq | undefined;
  #sharedUntil = 0;
  #wroteAt = 0;

  constructor(database: Database, options: TurnOptions) {
    this.#database = database;
    this.#options = options;
    this.#begin = database.prepare('BEGIN');
    this.#beginToWrite = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
  }

  /** Runs the work after everything that was queued before it. */
  queue<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined); // The caller has the failure; the queue goes on.
    return turn;
  }

  /** Settles when everything that was queued is done. */
  async idle(): Promise<void> {
    await this.#last;
  }

  /** One step that only reads, as of one instant. */
  async read<T>(work: () => T): Promise<T> {
    return this.#attempt('reading', () => this.#transact(this.#begin, work, () => this.#commit.run()));
  }

  /** One transaction: everything that the work writes is durable when this resolves, or nothing of it is there. */
  async write<T>(work: () => T): Promise<T> {
    const gap = this.#wroteAt + GAP - performance.now();
    if (gap > 0 && performance.now() < this.#sharedUntil) await setTimeout(gap);
    const outcome = await this.#attempt('writing', () =>
      this.#transact(this.#beginToWrite, work, () => this.#makeDurable()),
    );
    this.#wroteAt = performance.now();
    return outcome;
  }

  #transact<T>(begin: Statement, work: () => T, end: () => unknown): T {
    begin.run();
    try {
      const outcome = work();
      end();
      return outcome;
    } catch (error) {
      if (this.#database.inTransaction) this.#rollback.run();
      throw error;
    }
  }

  #makeDurable(): void {
    try {
      this.#commit.run();
    } catch (error) {
      throw isBusy(error) ? error : asJournalError(error, this.#options.file, 'committing');
    }
  }

  /** Tells where the next entry goes: elsewhere than after the last one of this opening when another one has written since. */
  noticeNext(seq: Seq): void {
    if (this.#nextSeq !== undefined && seq !== this.#nextSeq) this.#sharedUntil = performance.now() + SHARED_FOR;
    this.#nextSeq = seq + 1;
  }

  async #attempt<T>(doing: Doing, work: () => T): Promise<T> {
    const began = performance.now();
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw asJournalError(error, this.#options.file, doing);
        if (performance.now() - began > this.#options.maxWait) throw this.#tooLong(error);
      }
      this.#sharedUntil = performance.now() + SHARED_FOR;
      // Two that wait in step would meet again and again.
      await (Math.random() < 0.5 ? setTimeout(BETWEEN_ATTEMPTS) : setImmediate());
    }
  }

  #tooLong(cause: unknown): JournalError {
    const { file, maxWait } = this.#options;
    const message = `${file} was in use by others for more than ${maxWait} ms; nothing was written`;
    return new JournalError('journal_write_failed', message, { cause });
  }
}
