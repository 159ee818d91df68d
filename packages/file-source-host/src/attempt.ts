import type { Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { FileRead, ReadOptions, ReadOutcome } from '@codicil/file-source';
import { baseName, type ProjectPath, parentOf, ROOT } from '@codicil/project-path';
import { release, systemCode } from './disk.ts';
import { follow, unreadable } from './following.ts';
import type { Host } from './host.ts';
import type { PinnedFolder } from './pinned-folder.ts';
import { refusals } from './refusals.ts';
import { HostStamp, isSettled, type Place, sameFigures } from './stamps.ts';

/** What one try to read a file came to. */
export type Attempt =
  | { readonly kind: 'done'; readonly outcome: ReadOutcome }
  /** Read whole, but empty, or changed so lately that a writer may still be at it. */
  | { readonly kind: 'young'; readonly file: FileRead; readonly stat: Stats }
  /** The name is a link, or turned into one. */
  | { readonly kind: 'linked' }
  /** It, or a folder above it, changed meanwhile. */
  | { readonly kind: 'changed' };

/** What is asked for, and where its bytes are said to lie. */
export interface Target extends Place {
  readonly realPath: ProjectPath | undefined;
  /** Reached by folders alone; what lies behind a link is never proved unchanged by its figures. */
  readonly direct: boolean;
}

/** A file older than this is taken at its word: whoever wrote it has finished, and its figures show every later change. In milliseconds. */
const YOUNG = 10;
/**
 * Longer than a page that was written to through a memory map goes without another stamp. In milliseconds. For so long a large file is young, too: one
 * write of it may be held up in its midst, and it was stamped as that began.
 */
const MAPPED = 40_000;

/**
 * Reads an entry of a folder that is held: what is proved here holds for the file that was opened, whatever becomes of its name. The answer, an absence
 * too, is worth something only if the folder still stands afterwards.
 */
export function attemptIn(host: Host, folder: PinnedFolder, name: string, target: Target, o: ReadOptions): Attempt {
  let descriptor: number;
  const began = host.clock();
  try {
    descriptor = folder.open(name);
  } catch (error) {
    return refusedOpen(host, target.path, systemCode(error));
  }
  try {
    return readOpened(host, descriptor, target, o, began);
  } catch (error) {
    return done(unreadable(host, target.path, systemCode(error)));
  } finally {
    release(host.disk, descriptor);
  }
}

function readOpened(host: Host, descriptor: number, target: Target, o: ReadOptions, began: number): Attempt {
  const { path, realPath } = target;
  const before = host.disk.fstat(descriptor);
  if (!before.isFile()) {
    const what = before.isDirectory() ? 'folder' : 'special';
    return done({ kind: 'absent', diagnostic: refusals.notRegular(path, what) });
  }
  if (before.size > o.maxBytes) return done({ kind: 'refused', diagnostic: refusals.oversized(path, o.maxBytes) });
  const bytes = readBytes(host, descriptor, before.size, o.maxBytes);
  if (bytes === undefined) return done({ kind: 'refused', diagnostic: refusals.oversized(path, o.maxBytes) });
  const age = Math.abs(began - Math.max(before.mtimeMs, before.ctimeMs));
  // Some file systems empty a file an instant before they stamp it, so the age of an empty one tells nothing.
  const young = bytes.length === 0 ? !host.isKnownEmpty(path, before) : age < (isLarge(bytes) ? MAPPED : YOUNG);
  // Two equal reads, one after the other, are what the file held between them, whoever writes without a stamp.
  const unseen = !young && (age < MAPPED || !host.root.stampsMaps(before));
  if (unseen && !isStill(host, descriptor, bytes)) return { kind: 'changed' };
  const after = host.disk.fstat(descriptor);
  if (!sameFigures(before, after)) return { kind: 'changed' };
  const proves = target.direct && isSettled(before, began);
  const stamp = new HostStamp(host, target, before, proves).asStamp();
  const file: FileRead = { kind: 'file', path, realPath, bytes, stamp };
  return young ? { kind: 'young', file, stat: before } : done(file);
}

/** So large that it takes a while to write. */
export function isLarge(bytes: Uint8Array): boolean {
  return bytes.length > 65_536;
}

/** Whether the file still holds these bytes. */
function isStill(host: Host, descriptor: number, bytes: Uint8Array): boolean {
  const shared = host.shared(bytes.length);
  let at = 0;
  while (at < bytes.length) {
    const count = host.disk.readAt(descriptor, shared, at, bytes.length - at, at);
    if (count === 0) return false;
    at += count;
  }
  return Buffer.compare(shared.subarray(0, at), bytes) === 0;
}

/** The bytes up to the end, whatever size was told; `undefined` when they are more than `maxBytes`. */
function readBytes(host: Host, descriptor: number, size: number, maxBytes: number): Uint8Array | undefined {
  let shared = host.shared(Math.max(size, 4_095) + 1);
  let filled = 0;
  for (;;) {
    const count = host.disk.read(descriptor, shared, filled, shared.length - filled);
    filled += count;
    if (filled > maxBytes) return undefined;
    // A file that says a size ends there; one that says none (as in some virtual file systems) is read to its end.
    if (count === 0 || (filled === size && size > 0)) break;
    if (filled === shared.length) {
      const larger = host.shared(filled * 2);
      larger.set(shared);
      shared = larger;
    }
  }
  return host.copy(filled);
}

/** One try to read a path from the root on, through links where they are allowed. */
export function attempt(host: Host, path: ProjectPath, o: ReadOptions): Attempt {
  if (!host.canSpell(path)) return unspellable(host, path);
  const parent = parentOf(path);
  if (parent !== undefined) {
    const target: Target = { path, parent, realPath: path, direct: !host.root.ignoresCase };
    const straight = attemptAt(host, host.root.native(parent), baseName(path), target, o);
    if (straight.kind !== 'linked') return straight;
  }
  const followed = follow(host, path);
  if (followed.kind === 'changed') return followed;
  if (followed.kind !== 'found') return done(followed);
  if (followed.inside === undefined && o.links === 'inside') {
    return done({ kind: 'refused', diagnostic: refusals.escape(path) });
  }
  if (followed.inside === ROOT) return done({ kind: 'absent', diagnostic: refusals.notRegular(path, 'folder') });
  const { real, inside } = followed;
  const again = attemptAt(host, dirname(real), basename(real), { path, parent, realPath: inside, direct: false }, o);
  // What was proved to be no link is one now.
  return again.kind === 'linked' ? { kind: 'changed' } : again;
}

/** `linked` also when the folder is not, or not any longer, where its path says. */
function attemptAt(host: Host, folder: string, name: string, target: Target, o: ReadOptions): Attempt {
  const pinned = host.tryPin(folder);
  if (pinned === undefined) return host.root.stands() ? { kind: 'linked' } : rootGone(target.path);
  try {
    const tried = attemptIn(host, pinned, name, target, o);
    return pinned.stands() ? tried : { kind: 'linked' };
  } finally {
    pinned.close();
  }
}

function refusedOpen(host: Host, path: ProjectPath, code: string): Attempt {
  switch (code) {
    case 'ENOENT':
    // No folder can hold a name of that length.
    case 'ENAMETOOLONG':
      return done({ kind: 'absent' });
    case 'ELOOP':
      return { kind: 'linked' };
    case 'ENXIO':
    case 'EOPNOTSUPP':
    case 'ENODEV':
      return done({ kind: 'absent', diagnostic: refusals.notRegular(path, 'special') });
    default:
      return done(unreadable(host, path, code));
  }
}

/** A name that the platform has no way to write: it may lie there all the same if it is one of those that are listed with their bytes. */
function unspellable(host: Host, path: ProjectPath): Attempt {
  if (!host.root.stands()) return rootGone(path);
  if (process.platform === 'win32') return done({ kind: 'absent' });
  return done({ kind: 'unavailable', diagnostic: refusals.notUtf8Name(path) });
}

export function rootGone(path: ProjectPath): Attempt {
  return done({ kind: 'unavailable', diagnostic: refusals.rootGone(path) });
}

function done(outcome: ReadOutcome): Attempt {
  return { kind: 'done', outcome };
}
