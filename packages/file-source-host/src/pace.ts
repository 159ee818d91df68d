/** Milliseconds that synchronous work may keep the event loop at a time. */
const SLICE = 3;

/**
 * When the running turn of the event loop began, as far as the sources know. Calls that follow one another without giving the loop back share a
 * slice, however short each is.
 */
let began: number | undefined;

function sliceBegan(): number {
  if (began !== undefined) return began;
  began = performance.now();
  setImmediate(() => {
    began = undefined;
  });
  return began;
}

/** Cuts synchronous work into slices: ask {@link Pace.due} after each step, and `await` {@link Pace.rest} when it says so. */
export class Pace {
  readonly #signal: AbortSignal | undefined;
  #steps = 0;

  /** Throws the signal's reason when it is aborted already. */
  constructor(signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    this.#signal = signal;
    // The first step of each call asks the clock, so that many short calls do not add up to a long one.
    this.#steps = 31;
  }

  /** Whether the slice is used up. The clock is asked every 32 steps. */
  due(): boolean {
    this.#steps += 1;
    return (this.#steps & 31) === 0 && performance.now() - sliceBegan() > SLICE;
  }

  /** Gives the event loop back for a turn. Rejects with the signal's reason. */
  async rest(): Promise<void> {
    await new Promise(setImmediate);
    this.resume();
  }

  /** Goes on after some wait. Throws the signal's reason. */
  resume(): void {
    this.#signal?.throwIfAborted();
  }
}
