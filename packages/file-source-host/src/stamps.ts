import type { Stats } from 'node:fs';
import type { Stamp } from '@codicil/file-source';
import type { ProjectPath } from '@codicil/project-path';

/** A path and the folder that holds it. */
export interface Place {
  readonly path: ProjectPath;
  readonly parent: ProjectPath | undefined;
}

/**
 * The figures of a file or folder by which an unchanged one is known. `proves` is false where equal figures could hide an edit: a stamp taken
 * within the clock's granularity of the last edit, and whatever was reached through a link.
 */
export class HostStamp {
  readonly owner: object;
  readonly path: ProjectPath;
  /** The folder that holds it, one text for all its files. */
  readonly parent: ProjectPath | undefined;
  readonly folder: boolean;
  readonly proves: boolean;
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;

  constructor(owner: object, place: Place, stat: Stats, proves: boolean) {
    this.owner = owner;
    this.path = place.path;
    this.parent = place.parent;
    this.folder = stat.isDirectory();
    this.proves = proves;
    this.dev = stat.dev;
    this.ino = stat.ino;
    this.size = stat.size;
    this.mtimeMs = stat.mtimeMs;
    this.ctimeMs = stat.ctimeMs;
  }

  asStamp(): Stamp {
    return this as object as Stamp;
  }
}

/** Figures compared for equality, never for order: clocks step, and backups put old times back. */
export function sameFigures(left: HostStamp | Stats, right: Stats): boolean {
  return (
    left.ctimeMs === right.ctimeMs &&
    left.mtimeMs === right.mtimeMs &&
    left.size === right.size &&
    left.ino === right.ino &&
    left.dev === right.dev
  );
}

/** FAT counts in two seconds. */
const COARSE_WINDOW = 2_000;
/** A clock that shows parts of a second ticks at least this often. */
const FINE_WINDOW = 100;

/**
 * Whether the last change is so old that any later one shows in the figures. A change in the future, by a clock that was wrong, proves nothing.
 * @param began milliseconds since the epoch before the figures were taken
 */
export function isSettled(stat: Stats, began: number): boolean {
  const window = stat.mtimeMs % 1_000 === 0 ? COARSE_WINDOW : FINE_WINDOW;
  return Math.max(stat.mtimeMs, stat.ctimeMs) < began - window;
}
