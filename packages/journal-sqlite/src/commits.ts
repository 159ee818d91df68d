import { setImmediate } from 'node:timers/promises';
import type { AppendPlan, CommitOutcome, SessionId } from '@codicil/journal-records';
import type { Turns } from './turns.ts';

interface Waiting {
  readonly session: SessionId;
  readonly plan: AppendPlan;
  resolve(outcome: CommitOutcome): void;
  reject(error: unknown): void;
}

/** Appends that wait for the disk at the same time are written in one transaction, in the order in which they came; each has its own outcome. */
export class Commits {
  readonly #turns: Turns;
  readonly #write: (session: SessionId, plan: AppendPlan) => CommitOutcome;
  #waiting: Waiting[] = [];

  /** `write` does what a plan says, inside the transaction. */
  constructor(turns: Turns, write: (session: SessionId, plan: AppendPlan) => CommitOutcome) {
    this.#turns = turns;
    this.#write = write;
  }

  add(session: SessionId, plan: AppendPlan): Promise<CommitOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ session, plan, resolve, reject });
      if (this.#waiting.length === 1) void this.#turns.queue(() => this.#writeAll());
    });
  }

  async #writeAll(): Promise<void> {
    // Whoever decides upon what was just planned gets into the same transaction; and a caller without a pause leaves the event loop to others.
    await setImmediate();
    const batch = this.#waiting;
    this.#waiting = [];
    await this.#writeTogether(batch);
  }

  async #writeTogether(batch: readonly Waiting[]): Promise<void> {
    let reached = 'waiting' as 'waiting' | 'writing' | 'written';
    try {
      const outcomes = await this.#turns.write(() => {
        reached = 'writing';
        const written = batch.map((one) => ({ one, outcome: this.#write(one.session, one.plan) }));
        reached = 'written';
        return written;
      });
      for (const { one, outcome } of outcomes) one.resolve(outcome);
    } catch (error) {
      if (reached !== 'writing' || batch.length === 1) {
        for (const one of batch) one.reject(error);
        return;
      }
      // Nothing of them is there: only the one that cannot be written is to fail.
      for (const one of batch) await this.#writeTogether([one]);
    }
  }
}
