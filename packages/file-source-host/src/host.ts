import type { Stats } from 'node:fs';
import type { ProjectPath } from '@codicil/project-path';
import { type Disk, systemCode } from './disk.ts';
import { type PinnedFolder, pinFolder } from './pinned-folder.ts';
import type { Root } from './root.ts';
import { isSettled, sameFigures } from './stamps.ts';

export interface HostOptions {
  /** Milliseconds since the epoch, on the clock that stamps files. */
  readonly clock?: (() => number) | undefined;
  /** Waits for milliseconds, where a file is too young to be trusted at once. */
  readonly wait?: ((milliseconds: number) => Promise<void>) | undefined;
  /** The system calls, for tests that act between them. */
  readonly disk?: Disk | undefined;
  /** Whether folders are held through `/proc`. Left out: where there is one. */
  readonly descriptors?: boolean | undefined;
}

/** Bytes that small files share: what a kept one may hold back from collection. */
const SLAB = 65_536;

/** What the parts of a source share. */
export class Host {
  readonly root: Root;
  readonly disk: Disk;
  readonly clock: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly #descriptors: boolean;
  /** Files that stayed empty while they were waited for, with the figures they had. */
  readonly #empty: Map<ProjectPath, Stats> = new Map();
  #slab: Uint8Array = new Uint8Array(0);
  #slabUsed: number = SLAB;
  #shared: Uint8Array = new Uint8Array(65_537);

  constructor(root: Root, disk: Disk, descriptors: boolean, o: HostOptions) {
    this.root = root;
    this.disk = disk;
    this.clock = o.clock ?? Date.now;
    this.wait = o.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
    this.#descriptors = descriptors;
  }

  /** Holds the folder at a real path; `undefined` when the path leads elsewhere. Throws what the system says. */
  pin(real: string): PinnedFolder | undefined {
    return pinFolder(real, { disk: this.disk, root: this.root, descriptors: this.#descriptors });
  }

  /** {@link Host.pin} where the reason does not matter: `undefined` also when the system refuses. */
  tryPin(real: string): PinnedFolder | undefined {
    try {
      return this.pin(real);
    } catch (error) {
      systemCode(error);
      return undefined;
    }
  }

  /** One buffer for every read: used up within a slice, never across a wait. At least `size` bytes. */
  shared(size: number): Uint8Array {
    if (this.#shared.length < size) this.#shared = new Uint8Array(size);
    return this.#shared;
  }

  /** The first bytes of the shared buffer, for the caller to keep. Small ones lie beside one another, since a buffer each is dear. */
  copy(size: number): Uint8Array {
    if (size > SLAB / 8) return this.#shared.slice(0, size);
    if (this.#slabUsed + size > SLAB) {
      this.#slab = new Uint8Array(SLAB);
      this.#slabUsed = 0;
    }
    const part = this.#slab.subarray(this.#slabUsed, this.#slabUsed + size);
    part.set(this.#shared.subarray(0, size));
    this.#slabUsed += size;
    return part;
  }

  /** Whether the platform can have such a name at all. A half of a character would be written as another name. */
  canSpell(path: ProjectPath): boolean {
    if (/\p{Surrogate}/u.test(path)) return false;
    return process.platform !== 'win32' || !/[\\:]/.test(path);
  }

  /** A file that stayed empty need not be waited for again. */
  rememberEmpty(path: ProjectPath, stat: Stats): void {
    if (isSettled(stat, this.clock())) this.#empty.set(path, stat);
  }

  isKnownEmpty(path: ProjectPath, stat: Stats): boolean {
    const known = this.#empty.get(path);
    return known !== undefined && sameFigures(known, stat);
  }
}
