import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import type { Entry, ListOptions, ListOutcome } from '@codicil/file-source';
import { foldersAbove, joinPath, type ProjectPath, parentOf } from '@codicil/project-path';
import { systemCode } from './disk.ts';
import { explain, follow } from './following.ts';
import type { Host } from './host.ts';
import { Pace } from './pace.ts';
import type { PinnedFolder } from './pinned-folder.ts';
import { refusals } from './refusals.ts';
import { HostStamp, isSettled } from './stamps.ts';

/** A folder that moved in this many tries is called unstable. */
const ATTEMPTS = 3;

export async function listFolder(host: Host, folder: ProjectPath, o: ListOptions): Promise<ListOutcome> {
  const pace = new Pace(o.signal);
  if (!host.canSpell(folder)) return absence(host, folder);
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
    if (!host.root.stands()) return { kind: 'unavailable', diagnostic: refusals.rootGone(folder) };
    const began = host.clock();
    const stat = pinned.stat();
    if (!stat.isDirectory()) return undefined;
    const found = await readEntries(host, pinned, stat.size, o.maxEntries, pace);
    if (!pinned.stands()) return undefined;
    if (found === undefined) return { kind: 'refused', diagnostic: refusals.truncated(folder, o.maxEntries) };
    const { entries, links } = await described(host, folder, found, pace);
    const stamp = new HostStamp(
      host,
      { path: folder, parent: parentOf(folder) },
      stat,
      !links && isSettled(stat, began),
    ).asStamp();
    return { kind: 'entries', entries, stamp };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    const { kind, ...rest } = explain(host, folder, code);
    return kind === 'unavailable' && rest.diagnostic !== undefined
      ? { kind, diagnostic: rest.diagnostic }
      : { kind: 'absent' };
  } finally {
    pinned?.close();
  }
}

interface Raw {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'special' | 'unspellable';
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
  const raw = found.map((entry) => ({ name: entry.name, type: typeOf(entry) }));
  const doubtful = raw.some(({ name }) => name.includes('\ufffd'));
  return doubtful ? withoutFalseNames(raw, host.disk.names(pinned.listingPath)) : raw;
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

function typeOf(entry: Dirent): Raw['type'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

/** A replacement character may be a name's own; otherwise the name that was decoded is not the one on the disk. */
function withoutFalseNames(found: readonly Raw[], names: readonly Buffer[]): readonly Raw[] {
  const honest = new Set(names.filter((name) => isUtf8(name)).map(String));
  return found.map((raw) => (honest.has(raw.name) ? raw : { name: raw.name, type: 'unspellable' }));
}

async function described(
  host: Host,
  folder: ProjectPath,
  found: readonly Raw[],
  pace: Pace,
): Promise<{ readonly entries: readonly Entry[]; readonly links: boolean }> {
  const entries: Entry[] = [];
  let links = false;
  for (const { name, type } of found) {
    if (pace.due()) await pace.rest();
    links ||= type === 'link';
    if (type === 'file' || type === 'folder') entries.push({ name, kind: type, linked: false, refusal: undefined });
    else entries.push(oddEntry(host, joinPath(folder, name), name, type));
  }
  return { entries, links };
}

function oddEntry(host: Host, path: ProjectPath, name: string, type: 'link' | 'special' | 'unspellable'): Entry {
  if (type === 'link') return linkEntry(host, path, name);
  const refusal = type === 'special' ? refusals.notRegular(path, 'special') : refusals.notUtf8Name(path);
  return { name, kind: 'other', linked: false, refusal };
}

function linkEntry(host: Host, path: ProjectPath, name: string): Entry {
  const other = (refusal: Entry['refusal']): Entry => ({ name, kind: 'other', linked: true, refusal });
  const followed = follow(host, path);
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
  for (const path of [...foldersAbove(folder), folder]) {
    try {
      const stat = host.disk.lstat(host.root.native(path));
      if (stat === undefined) return absence(host, folder);
      if (stat.isSymbolicLink()) return refusedLink(host, folder);
      if (stat.isDirectory()) continue;
      return path === folder ? { kind: 'refused', diagnostic: refusals.notFolder(folder) } : absence(host, folder);
    } catch (error) {
      return { kind: 'unavailable', diagnostic: refusals.unreadable(folder, systemCode(error)) };
    }
  }
  return host.root.stands() ? undefined : { kind: 'unavailable', diagnostic: refusals.rootGone(folder) };
}

function refusedLink(host: Host, folder: ProjectPath): ListOutcome {
  if (!host.root.stands()) return { kind: 'unavailable', diagnostic: refusals.rootGone(folder) };
  return { kind: 'refused', diagnostic: refusals.folderLink(folder) };
}

function absence(host: Host, folder: ProjectPath): ListOutcome {
  return host.root.stands() ? { kind: 'absent' } : { kind: 'unavailable', diagnostic: refusals.rootGone(folder) };
}
