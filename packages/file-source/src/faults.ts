import type { ProjectPath } from '@codicil/project-path';

/** What can be made to go wrong in a memory source. */
export interface MemoryFaults {
  /** The next `times` reads of the path (of any, when left out) are unavailable. */
  failReads(times: number, path?: string): void;
  /** The same for listings. */
  failLists(times: number, folder?: string): void;
  /** Runs `act` in the midst of each of the next `times` attempts to read the path (any, when left out): after the first bytes, before the last. */
  duringReads(times: number, act: () => void, path?: string): void;
  /** The root goes away as a whole until {@link MemoryFaults.reappear}. */
  vanish(): void;
  reappear(): void;
  /** Every answer waits until the returned function is called, or until its signal aborts. */
  hold(): () => void;
}

interface Fault {
  left: number;
  readonly path: string | undefined;
  readonly act: () => void;
}

/** The faults that wait for their moment. */
export class FaultPlan implements MemoryFaults {
  readonly #reads: Fault[] = [];
  readonly #lists: Fault[] = [];
  readonly #during: Fault[] = [];
  readonly #setAway: (away: boolean) => void;
  /** Closed while answers are held. */
  #gate: Promise<void> | undefined;

  constructor(setAway: (away: boolean) => void) {
    this.#setAway = setAway;
  }

  failReads(times: number, path?: string): void {
    this.#reads.push({ left: times, path, act: nothing });
  }

  failLists(times: number, folder?: string): void {
    this.#lists.push({ left: times, path: folder, act: nothing });
  }

  duringReads(times: number, act: () => void, path?: string): void {
    this.#during.push({ left: times, path, act });
  }

  vanish(): void {
    this.#setAway(true);
  }

  reappear(): void {
    this.#setAway(false);
  }

  hold(): () => void {
    let release: () => void = nothing;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#gate = Promise.all([this.#gate, gate]).then(nothing);
    return () => release();
  }

  readFails(path: ProjectPath): boolean {
    return take(this.#reads, path) !== undefined;
  }

  listFails(folder: ProjectPath): boolean {
    return take(this.#lists, folder) !== undefined;
  }

  /** Called in the midst of an attempt to read. */
  midRead(path: ProjectPath): void {
    take(this.#during, path)?.act();
  }

  /** Waits while answers are held. Rejects with the signal's reason. */
  async pass(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#gate === undefined || signal === undefined) return this.#gate;
    let abort: () => void = nothing;
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
    });
    try {
      await Promise.race([this.#gate, aborted]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
    signal.throwIfAborted();
  }
}

function nothing(): void {}

function take(faults: readonly Fault[], path: ProjectPath): Fault | undefined {
  const fault = faults.find(({ left, path: of }) => left > 0 && (of === undefined || of === path));
  if (fault !== undefined) fault.left -= 1;
  return fault;
}
