/** Milliseconds that synchronous work may keep the event loop at a time. */
const SLICE = 3;

/** Cuts synchronous work into slices: ask {@link Pace.due} after each step, and `await` {@link Pace.rest} when it says so. */
export class Pace {
  readonly #signal: AbortSignal | undefined;
  #since: number = performance.now();
  #steps = 0;

  /** Throws the signal's reason when it is aborted already. */
  constructor(signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    this.#signal = signal;
  }

  /** Whether the slice is used up. The clock is asked every 32 steps. */
  due(): boolean {
    this.#steps += 1;
    return (this.#steps & 31) === 0 && performance.now() - this.#since > SLICE;
  }

  /** Gives the event loop back for a turn. Rejects with the signal's reason. */
  async rest(): Promise<void> {
    await new Promise(setImmediate);
    this.resume();
  }

  /** Begins a new slice after some other wait. */
  resume(): void {
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
