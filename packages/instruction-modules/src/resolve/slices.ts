/** Above it the event loop gets a turn: a host that serves people must not stand still while ten thousand files are looked at. */
const SLICE_MS = 3;

/** Cuts long work into slices. */
export interface Slices {
  /** Whether the slice is used up. */
  isOver(): boolean;
  /** Gives the event loop a turn and begins the next slice. Rejects with the signal's reason when it aborted meanwhile. */
  next(): Promise<void>;
}

export function startSlices(signal: AbortSignal | undefined): Slices {
  let started = performance.now();
  return {
    isOver: () => performance.now() - started > SLICE_MS,
    async next() {
      await new Promise<void>((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      started = performance.now();
    },
  };
}
