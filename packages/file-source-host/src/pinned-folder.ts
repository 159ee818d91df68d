import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { type Disk, FILE_FLAGS, FOLDER_FLAGS, systemCode } from './disk.ts';

/**
 * A folder proved to lie at a real path, held so that its entries can be opened without trusting its name again. On Linux it is held by a
 * descriptor; elsewhere its real path is asked before and after.
 */
export interface PinnedFolder {
  /** Opens an entry, no link followed. Throws what the system says. */
  open(name: string): number;
  /** A path under which the folder itself can be listed. */
  readonly listingPath: string;
  stat(): Stats;
  /** Whether it still lies where it was proved to lie. */
  stands(): boolean;
  close(): void;
}

export interface PinOptions {
  readonly disk: Disk;
  /** Hold folders by descriptors and `/proc`. */
  readonly descriptors: boolean;
  /** Whether two spellings name the same place. */
  same(left: string, right: string): boolean;
}

/** `undefined` when the path leads elsewhere, through a link for instance. Throws what the system says. */
export function pinFolder(real: string, o: PinOptions): PinnedFolder | undefined {
  const pinned = o.descriptors ? byDescriptor(real, o) : byRealPath(real, o);
  let proved = false;
  try {
    proved = pinned.stands();
  } finally {
    if (!proved) pinned.close();
  }
  return proved ? pinned : undefined;
}

function byDescriptor(real: string, { disk, same }: PinOptions): PinnedFolder {
  const descriptor = disk.open(real, FOLDER_FLAGS);
  const link = `/proc/self/fd/${descriptor}`;
  return {
    open: (name) => disk.open(`${link}/${name}`, FILE_FLAGS),
    // Through the descriptor's link: what is listed is what was proved.
    listingPath: `${link}/`,
    stat: () => disk.fstat(descriptor),
    stands: () => same(disk.readlink(link), real),
    close: () => disk.close(descriptor),
  };
}

function byRealPath(real: string, { disk, same }: PinOptions): PinnedFolder {
  const stat = (): Stats => {
    const found = disk.lstat(real);
    if (found === undefined) throw Object.assign(new Error(`${real} is gone`), { code: 'ENOENT' });
    return found;
  };
  const { dev, ino } = stat();
  const stands = (): boolean => {
    try {
      const now = stat();
      return now.isDirectory() && now.ino === ino && now.dev === dev && same(disk.realpath(real), real);
    } catch (error) {
      systemCode(error);
      return false;
    }
  };
  return {
    open(name) {
      const path = join(real, name);
      const descriptor = disk.open(path, FILE_FLAGS);
      const opened = disk.fstat(descriptor);
      const named = disk.lstat(path);
      // What was opened must be what lies there while the folder is proved to lie there too.
      if (named?.ino === opened.ino && named.dev === opened.dev && stands()) return descriptor;
      disk.close(descriptor);
      throw Object.assign(new Error(`${path} was replaced`), { code: 'ELOOP' });
    },
    listingPath: real,
    stat,
    stands,
    close() {},
  };
}
