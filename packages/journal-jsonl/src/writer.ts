import type { AppendPlan, CommitOutcome } from '@codicil/journal-records';
import type { Attempt, SessionFile } from './session-file.ts';

interface Waiting {
  readonly plan: AppendPlan;
  resolve(outcome: CommitOutcome): void;
  reject(reason: unknown): void;
}

/** The file of a session, and how it comes into being. */
export interface FileAccess {
  /** `undefined` when there is none. */
  open(): SessionFile | undefined;
  /** Makes it, unless another process was faster. */
  create(): SessionFile;
}

/** Milliseconds that a sync may take before the event loop is given back during the next ones. */
const PATIENCE = 2;

/** Takes the appends of one process to one session, and writes all that wait at once: one write and one sync for the lot. */
export class Writer {
  readonly #access: FileAccess;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #lastSync = 0;

  constructor(access: FileAccess) {
    this.#access = access;
  }

  commit(plan: AppendPlan): Promise<CommitOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ plan, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** When nothing is under way any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Whoever is about to commit comes along: entries are planned one after another.
      await new Promise(setImmediate);
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = undefined;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const file = this.#fileFor(batch);
    file?.catchUp();
    let leaf = file?.leaf ?? null;
    const attempts: Attempt[] = [];
    for (const { plan } of batch) {
      if (plan.expectedLeaf !== leaf) continue;
      attempts.push({ expected: leaf, stored: plan.stored });
      leaf = plan.stored.id;
    }
    const accepted = file === undefined || attempts.length === 0 ? new Set() : await this.#timed(file, attempts);
    for (const { plan, resolve } of batch) resolve({ kind: accepted.has(plan.stored.id) ? 'committed' : 'conflict' });
  }

  /** A session comes into being with its first entry, and not with an attempt that is too late. */
  #fileFor(batch: readonly Waiting[]): SessionFile | undefined {
    const file = this.#access.open();
    if (file !== undefined || batch.every(({ plan }) => plan.expectedLeaf !== null)) return file;
    return this.#access.create();
  }

  async #timed(file: SessionFile, attempts: readonly Attempt[]): ReturnType<SessionFile['write']> {
    const start = performance.now();
    try {
      return await file.write(attempts, attempts.length > 1 || this.#lastSync > PATIENCE);
    } finally {
      this.#lastSync = performance.now() - start;
    }
  }
}
