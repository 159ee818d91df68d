import type { Stats } from 'node:fs';
import { sep } from 'node:path';
import { depthOf, foldersAbove, type ProjectPath } from '@codicil/project-path';
import { type Disk, FILE_FLAGS, FOLDER_FLAGS, release, systemCode } from './disk.ts';
import type { Root } from './root.ts';
import { sameFigures } from './stamps.ts';

/**
 * A folder proved to lie at a real place, held so that its entries can be asked for without trusting its name again. What came from it is proved
 * by {@link PinnedFolder.stands} afterwards. On Linux it is held by a descriptor; elsewhere the figures of all folders on the way are compared.
 */
export interface PinnedFolder {
  /** Opens an entry, no link followed. Throws what the system says. */
  open(name: string): number;
  /** The figures of an entry, or of what lies deeper by a relative path; `undefined` when nothing is there. Throws what the system says. */
  lstat(name: string): Stats | undefined;
  /** What an entry that is a link says. Throws what the system says. */
  readlink(name: string): string;
  /** A path under which the folder itself can be listed. */
  readonly listingPath: string;
  stat(): Stats;
  /** Whether it lies in the same root, by that root's identity, and has the name that it was asked for by. */
  stands(): boolean;
  close(): void;
}

export interface PinOptions {
  readonly disk: Disk;
  readonly root: Root;
  /** Hold folders by descriptors and `/proc`. */
  readonly descriptors: boolean;
}

/** `undefined` when the path leads elsewhere, through a link or into another root for instance. Throws what the system says. */
export function pinFolder(real: string, o: PinOptions): PinnedFolder | undefined {
  const inside = o.root.project(real);
  return o.descriptors ? byDescriptor(real, inside, o) : byFigures(real, inside, o);
}

function byDescriptor(
  real: string,
  inside: ProjectPath | undefined,
  { disk, root }: PinOptions,
): PinnedFolder | undefined {
  const descriptor = disk.open(real, FOLDER_FLAGS);
  const link = `/proc/self/fd/${descriptor}`;
  const within = `${link}/`;
  // `..` of an open folder is its true parent, whatever anybody is called: so many steps up, only the root itself may lie.
  const top = inside === undefined ? undefined : within + ('../'.repeat(depthOf(inside)) || '.');
  const isBelowRoot = (): boolean => top === undefined || root.is(disk.lstat(top));
  const isNamed = (): boolean => root.same(disk.readlink(link), real);
  let proved = false;
  try {
    // Where the root is not asked for, as outside of it, the name has to do from the start.
    proved = top === undefined ? isNamed() : isBelowRoot();
  } finally {
    if (!proved) release(disk, descriptor);
  }
  if (!proved) return undefined;
  return {
    open: (name) => disk.open(within + name, FILE_FLAGS),
    lstat: (name) => disk.lstat(within + name),
    readlink: (name) => disk.readlink(within + name),
    // Through the descriptor's link: what is listed is what was proved.
    listingPath: within,
    stat: () => disk.fstat(descriptor),
    stands: () => isSure(() => isBelowRoot() && isNamed()),
    close: () => release(disk, descriptor),
  };
}

/**
 * Names alone: whoever turns a name away and back changes the figures of the folder that holds it, and those of what was renamed. So equal figures of
 * each folder from the root on say that nothing was turned meanwhile, as finely as the clock of the file system ticks.
 */
function byFigures(
  real: string,
  inside: ProjectPath | undefined,
  { disk, root }: PinOptions,
): PinnedFolder | undefined {
  const way = inside === undefined ? [real] : [...foldersAbove(inside).map((path) => root.native(path)), real];
  if (inside !== undefined && inside !== '') way.unshift(root.real);
  const before = way.map((path) => disk.lstat(path));
  const within = real.endsWith(sep) ? real : real + sep;
  const stands = (): boolean =>
    (inside === undefined || root.is(before[0])) &&
    root.same(disk.realpath(real), real) &&
    way.every((path, index) => isSameFolder(before[index], disk.lstat(path)));
  if (!stands()) return undefined;
  return {
    open(name) {
      const path = within + name;
      const descriptor = disk.open(path, FILE_FLAGS);
      if (isSure(() => isSameNode(disk.fstat(descriptor), disk.lstat(path)))) return descriptor;
      release(disk, descriptor);
      throw Object.assign(new Error(`${path} was replaced`), { code: 'ELOOP' });
    },
    lstat: (name) => disk.lstat(within + name),
    readlink: (name) => disk.readlink(within + name),
    listingPath: real,
    stat() {
      const found = disk.lstat(real);
      if (found === undefined) throw Object.assign(new Error(`${real} is gone`), { code: 'ENOENT' });
      return found;
    },
    stands: () => isSure(stands),
    close() {},
  };
}

function isSameFolder(before: Stats | undefined, now: Stats | undefined): boolean {
  return before?.isDirectory() === true && now !== undefined && sameFigures(before, now);
}

function isSameNode(opened: Stats, named: Stats | undefined): boolean {
  return named?.ino === opened.ino && named.dev === opened.dev;
}

/** What the system refuses to tell is not sure. */
function isSure(ask: () => boolean): boolean {
  try {
    return ask();
  } catch (error) {
    systemCode(error);
    return false;
  }
}
