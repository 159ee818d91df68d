import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  type Dir,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statfsSync,
} from 'node:fs';

/**
 * The system calls of a source, as a seam: a test may act between any two of them. Each throws what `node:fs` throws; `lstat` answers
 * `undefined` when nothing is there.
 */
export interface Disk {
  open(path: string, flags: number): number;
  close(descriptor: number): void;
  fstat(descriptor: number): Stats;
  lstat(path: string): Stats | undefined;
  /** Whether writes through a memory map change the times of files there, at the latest some seconds after. */
  stampsMaps(path: string): boolean;
  /** Reads from where the descriptor stands. The number of bytes; 0 at the end. */
  read(descriptor: number, into: Uint8Array, offset: number, length: number): number;
  /** The same from a position of the file, wherever the descriptor stands. */
  readAt(descriptor: number, into: Uint8Array, offset: number, length: number, position: number): number;
  /** Throws `EILSEQ` where the answer is not UTF-8: decoded, it would be the name of something else. */
  readlink(path: string): string;
  /** Throws `EILSEQ` as {@link Disk.readlink} does. */
  realpath(path: string): string;
  opendir(path: string): Dir;
  /** The whole folder at once: faster than {@link Disk.opendir} where it is known to be small. */
  readdir(path: string): readonly Dirent[];
  /** The same with names as bytes, for folders with names that are not UTF-8. */
  names(path: string): readonly Dirent<Buffer>[];
}

/** A replacement character may be a name's own, or stand for bytes that no text can spell: then the bytes are asked for. */
function honest(name: string, asBytes: () => Buffer): string {
  if (!name.includes('\ufffd')) return name;
  const bytes = asBytes();
  if (isUtf8(bytes)) return bytes.toString();
  throw Object.assign(new Error('the name is not valid UTF-8'), { code: 'EILSEQ' });
}

const IF_THERE = { throwIfNoEntry: false } as const;

/** The magic numbers of ext, XFS, Btrfs, F2FS and overlays upon them. tmpfs stamps no mapped write at all, and a share only what it sees. */
const STAMPING: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x794c7630]);

export const nodeDisk: Disk = {
  open: (path, flags) => openSync(path, flags),
  close: (descriptor) => closeSync(descriptor),
  fstat: (descriptor) => fstatSync(descriptor),
  lstat(path) {
    try {
      return lstatSync(path, IF_THERE);
    } catch (error) {
      // A file stands where a folder was expected: nothing can lie below it.
      if (systemCode(error) === 'ENOTDIR') return undefined;
      throw error;
    }
  },
  stampsMaps: (path) => STAMPING.has(statfsSync(path).type),
  read: (descriptor, into, offset, length) => readSync(descriptor, into, offset, length, null),
  readAt: (descriptor, into, offset, length, position) => readSync(descriptor, into, offset, length, position),
  readlink: (path) => honest(readlinkSync(path), () => readlinkSync(path, 'buffer')),
  realpath: (path) => honest(realpathSync.native(path), () => realpathSync.native(path, 'buffer')),
  opendir: (path) => opendirSync(path, { bufferSize: 256 }),
  readdir: (path) => readdirSync(path, { withFileTypes: true }),
  names: (path) => readdirSync(path, { withFileTypes: true, encoding: 'buffer' }),
};

/** `O_PATH` of Linux: a descriptor that names a folder and needs no right to list it. Node has no name for it. */
const O_PATH = 0o10000000;

/** A folder itself, not a link to it. */
export const FOLDER_FLAGS: number = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** A file itself, not a link to it; a pipe must not hold the open up. */
export const FILE_FLAGS: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** The system's code of what a call threw; rethrows what no call throws. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  throw error;
}

/** Gives a descriptor back. What was read is proved without it, so a complaint of the system at this point takes nothing away. */
export function release(disk: Disk, descriptor: number): void {
  try {
    disk.close(descriptor);
  } catch (error) {
    systemCode(error);
  }
}
