import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import type { Entry, ListOptions, ListOutcome } from '@codicil/file-source';
import { baseName, foldersAbove, joinPath, type ProjectPath, parentOf, ROOT } from '@codicil/project-path';
import { systemCode } from './disk.ts';
import { follow, look, unreadable } from './following.ts';
import type { Host } from './host.ts';
import { Pace } from './pace.ts';
import type { PinnedFolder } from './pinned-folder.ts';
import { refusals } from './refusals.ts';
import { HostStamp, isSettled } from './stamps.ts';

/** A folder that moved in this many tries is called unstable. */
const ATTEMPTS = 3;

export async function listFolder(host: Host, folder: ProjectPath, o: ListOptions): Promise<ListOutcome> {
  const pace = new Pace(o.signal);
  if (!host.canSpell(folder)) return unspellable(host, folder);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const outcome = (await listPinned(host, folder, o, pace)) ?? reasonAgainst(host, folder);
    if (outcome !== undefined) return outcome;
  }
  return { kind: 'unavailable', diagnostic: refusals.unstable(folder, ATTEMPTS) };
}

/** `undefined` when the folder is not, or not any longer, where its path says. */
async function listPinned(
  host: Host,
  folder: ProjectPath,
  o: ListOptions,
  pace: Pace,
): Promise<ListOutcome | undefined> {
  let pinned: PinnedFolder | undefined;
  try {
    pinned = host.pin(host.root.native(folder));
    if (pinned === undefined) return undefined;
    const began = host.clock();
    const stat = pinned.stat();
    if (!stat.isDirectory()) return undefined;
    const found = await readEntries(host, pinned, stat.size, o.maxEntries, pace);
    const described = found && (await describe(host, folder, found, pace));
    if (!pinned.stands()) return undefined;
    if (described === undefined) return { kind: 'refused', diagnostic: refusals.truncated(folder, o.maxEntries) };
    const { entries, links } = described;
    const stamp = new HostStamp(
      host,
      { path: folder, parent: parentOf(folder) },
      stat,
      !links && isSettled(stat, began),
    ).asStamp();
    return { kind: 'entries', entries, stamp };
  } catch (error) {
    const code = systemCode(error);
    const isMoved = code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENAMETOOLONG';
    return isMoved ? undefined : unreadable(host, folder, code);
  } finally {
    pinned?.close();
  }
}

interface Raw {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'special';
  /** Of a name that is not UTF-8. */
  readonly bytes?: Uint8Array;
}

/** A folder of fewer bytes is read at once: on most file systems these hold a few thousand entries at most. */
const SMALL_FOLDER = 65_536;

/** `undefined` when there are more than the most. */
async function readEntries(
  host: Host,
  pinned: PinnedFolder,
  size: number,
  maxEntries: number,
  pace: Pace,
): Promise<readonly Raw[] | undefined> {
  const found =
    size <= SMALL_FOLDER
      ? host.disk.readdir(pinned.listingPath)
      : await readStepwise(host, pinned.listingPath, maxEntries, pace);
  if (found.length > maxEntries) return undefined;
  // A replacement character may be a name's own, or have come in where the name is not UTF-8.
  if (found.some(({ name }) => name.includes('\ufffd'))) return host.disk.names(pinned.listingPath).map(trueName);
  return found.map((entry) => ({ name: entry.name, type: typeOf(entry) }));
}

/** A false name is told by its bytes, since several of them look alike when they are decoded. */
function trueName(entry: Dirent<Buffer>): Raw {
  const bytes = entry.name;
  if (isUtf8(bytes)) return { name: bytes.toString(), type: typeOf(entry) };
  return { name: escaped(bytes), type: 'special', bytes };
}

/** A text of its own for any bytes, and never that of a true name: what is not UTF-8 becomes halves of characters, U+DC80 to U+DCFF. */
function escaped(bytes: Buffer): string {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const length = [1, 2, 3, 4].find(
      (size) => isUtf8(bytes.subarray(index, index + size)) && index + size <= bytes.length,
    );
    text +=
      length === undefined
        ? String.fromCharCode(0xdc00 + (bytes[index] ?? 0))
        : bytes.toString('utf8', index, index + length);
    index += length ?? 1;
  }
  return text;
}

/** The entries, or one more than the most. */
async function readStepwise(host: Host, path: string, maxEntries: number, pace: Pace): Promise<readonly Dirent[]> {
  const found: Dirent[] = [];
  const dir = host.disk.opendir(path);
  try {
    for (let entry = dir.readSync(); entry !== null && found.length <= maxEntries; entry = dir.readSync()) {
      found.push(entry);
      if (pace.due()) await pace.rest();
    }
  } finally {
    dir.closeSync();
  }
  return found;
}

function typeOf(entry: Dirent | Dirent<Buffer>): Raw['type'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

async function describe(
  host: Host,
  folder: ProjectPath,
  found: readonly Raw[],
  pace: Pace,
): Promise<{ readonly entries: readonly Entry[]; readonly links: boolean }> {
  const entries: Entry[] = [];
  let links = false;
  for (const raw of found) {
    if (pace.due()) await pace.rest();
    const { name, type } = raw;
    links ||= type === 'link';
    if (type === 'file' || type === 'folder') entries.push({ name, kind: type, linked: false, refusal: undefined });
    else entries.push(oddEntry(host, joinPath(folder, name), raw));
  }
  return { entries, links };
}

function oddEntry(host: Host, path: ProjectPath, { name, type, bytes }: Raw): Entry {
  if (type === 'link') return linkEntry(host, path, name);
  const refusal = bytes === undefined ? refusals.notRegular(path, 'special') : refusals.notUtf8Name(path, bytes);
  return { name, kind: 'other', linked: false, refusal };
}

function linkEntry(host: Host, path: ProjectPath, name: string): Entry {
  const other = (refusal: Entry['refusal']): Entry => ({ name, kind: 'other', linked: true, refusal });
  const followed = follow(host, path);
  if (followed.kind === 'changed') return other(refusals.unstable(path, 1));
  if (followed.kind !== 'found') return other(followed.diagnostic ?? refusals.dangling(path));
  if (followed.inside === undefined) return other(refusals.escape(path));
  try {
    const stat = host.disk.lstat(followed.real);
    if (stat === undefined) return other(refusals.dangling(path));
    if (stat.isDirectory()) return other(refusals.folderLink(path));
    if (!stat.isFile()) return other(refusals.notRegular(path, 'special'));
    return { name, kind: 'file', linked: true, refusal: undefined };
  } catch (error) {
    return other(refusals.unreadable(path, systemCode(error)));
  }
}

/** Why a folder could not be held; `undefined` when nothing speaks against it any longer. */
function reasonAgainst(host: Host, folder: ProjectPath): ListOutcome | undefined {
  if (folder !== ROOT) {
    for (const path of [...foldersAbove(folder), folder]) {
      const seen = look(host, parentOf(path) ?? ROOT, baseName(path), folder);
      if (seen.kind === 'changed') return undefined;
      if (seen.kind !== 'seen') return seen;
      if (seen.stat === undefined) return { kind: 'absent' };
      if (seen.stat.isSymbolicLink()) return { kind: 'refused', diagnostic: refusals.folderLink(folder) };
      if (seen.stat.isDirectory()) continue;
      return path === folder ? { kind: 'refused', diagnostic: refusals.notFolder(folder) } : { kind: 'absent' };
    }
  }
  return host.root.stands() ? undefined : { kind: 'unavailable', diagnostic: refusals.rootGone(folder) };
}

/** A name that the platform has no way to write. */
function unspellable(host: Host, folder: ProjectPath): ListOutcome {
  if (!host.root.stands()) return { kind: 'unavailable', diagnostic: refusals.rootGone(folder) };
  if (process.platform === 'win32') return { kind: 'absent' };
  return { kind: 'unavailable', diagnostic: refusals.notUtf8Name(folder) };
}
