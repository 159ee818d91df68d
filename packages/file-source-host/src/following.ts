import type { Stats } from 'node:fs';
import { isAbsolute, parse, sep } from 'node:path';
import type { Diagnostic } from '@codicil/diagnostics';
import { joinPath, type ProjectPath, parentOf, ROOT } from '@codicil/project-path';
import { systemCode } from './disk.ts';
import type { Host } from './host.ts';
import { refusals } from './refusals.ts';

/** Where a path leads when every link on its way is followed. */
export type Followed =
  | { readonly kind: 'found'; readonly real: string; readonly inside: ProjectPath | undefined }
  | { readonly kind: 'absent'; readonly diagnostic?: Diagnostic }
  | { readonly kind: 'refused'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'unavailable'; readonly diagnostic: Diagnostic }
  /** Something on the way was replaced while it was looked at. */
  | { readonly kind: 'changed' };

/** An entry as it was in a folder that was proved to lie where its path says, before and after. */
export type Seen =
  | { readonly kind: 'seen'; readonly stat: Stats | undefined; readonly target: string | undefined }
  | Exclude<Followed, { kind: 'found' }>;

/** Looks at one entry of a folder inside the root. `path` is the one that was asked for. */
export function look(host: Host, folder: ProjectPath, name: string, path: ProjectPath): Seen {
  try {
    const pinned = host.pin(host.root.native(folder));
    if (pinned === undefined) return changedOrGone(host, path);
    try {
      const stat = lstatOf(pinned, name);
      const target = stat?.isSymbolicLink() === true ? pinned.readlink(name) : undefined;
      return pinned.stands() ? { kind: 'seen', stat, target } : changedOrGone(host, path);
    } finally {
      pinned.close();
    }
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EILSEQ') return { kind: 'refused', diagnostic: refusals.notUtf8Target(path) };
    // Seen a moment ago: as a folder, or as a link.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EINVAL') {
      return changedOrGone(host, path);
    }
    return unreadable(host, path, code);
  }
}

function lstatOf(pinned: { lstat(name: string): Stats | undefined }, name: string): Stats | undefined {
  try {
    return pinned.lstat(name);
  } catch (error) {
    // No folder can hold a name of that length.
    if (systemCode(error) === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/**
 * Follows a path step by step, each step from a folder that is held: an absence inside the root is proved, and no name of another folder that stood in
 * the root's place for a while is taken for the root's.
 */
export function follow(host: Host, path: ProjectPath): Followed {
  // Most often it is the last name that is a link.
  const parent = parentOf(path);
  const start = parent !== undefined && isReal(host, parent) ? parent : ROOT;
  let at = start;
  const pending = segmentsOf(start === ROOT ? path : path.slice(start.length + 1)).reverse();
  let dangling = false;
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      const above = parentOf(at);
      if (above === undefined) return beyond(host, path, [`${host.root.real}${sep}..`, ...pending.reverse()], dangling);
      at = above;
      continue;
    }
    const seen = look(host, at, name, path);
    if (seen.kind !== 'seen') return seen;
    const { stat, target } = seen;
    const isLast = pending.length === 0;
    if (stat === undefined) return absent(path, dangling);
    if (target === undefined) {
      if (!stat.isDirectory() && !isLast) return absent(path, dangling);
      at = joinPath(at, name);
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return { kind: 'refused', diagnostic: refusals.loop(path) };
    dangling ||= isLast;
    if (isAbsolute(target)) {
      const below = host.root.below(target);
      if (below === undefined) return beyond(host, path, [target, ...pending.reverse()], dangling);
      at = ROOT;
      pending.push(...segmentsOf(below).reverse());
    } else pending.push(...segmentsOf(target).reverse());
  }
  return arrived(host, path, at);
}

function isReal(host: Host, folder: ProjectPath): boolean {
  const pinned = host.tryPin(host.root.native(folder));
  if (pinned === undefined) return false;
  try {
    return pinned.stands();
  } finally {
    pinned.close();
  }
}

/** The place as the disk spells it, where that is another spelling of the same names. */
function arrived(host: Host, path: ProjectPath, at: ProjectPath): Followed {
  const native = host.root.native(at);
  try {
    const real = host.disk.realpath(native);
    const inside = host.root.project(real);
    const isSpelling = folded(real) === folded(native);
    return inside !== undefined && isSpelling && host.root.stands()
      ? { kind: 'found', real, inside }
      : changedOrGone(host, path);
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP'
      ? changedOrGone(host, path)
      : unreadable(host, path, code);
  }
}

function folded(path: string): string {
  return path.normalize().toLowerCase();
}

/** What lies outside the root is nobody's to prove; a way that leads back inside is walked as any other. */
function beyond(host: Host, path: ProjectPath, names: readonly string[], dangling: boolean): Followed {
  const native = names.join(sep);
  try {
    const real = host.disk.realpath(native);
    const inside = host.root.project(real);
    if (inside !== undefined) return arrived(host, path, inside);
    return host.root.stands() ? { kind: 'found', real, inside: undefined } : changedOrGone(host, path);
  } catch (error) {
    const code = systemCode(error);
    if (!host.root.stands()) return changedOrGone(host, path);
    if (code === 'ENOENT' || code === 'ENOTDIR') return absent(path, dangling || isLink(host, native));
    if (code === 'ELOOP') return { kind: 'refused', diagnostic: refusals.loop(path) };
    if (code === 'EILSEQ') return { kind: 'refused', diagnostic: refusals.notUtf8Target(path) };
    return unreadable(host, path, code);
  }
}

function isLink(host: Host, native: string): boolean {
  try {
    return host.disk.lstat(native)?.isSymbolicLink() === true;
  } catch (error) {
    systemCode(error);
    return false;
  }
}

function absent(path: ProjectPath, dangling: boolean): Followed {
  return dangling ? { kind: 'absent', diagnostic: refusals.dangling(path) } : { kind: 'absent' };
}

function changedOrGone(host: Host, path: ProjectPath): Exclude<Followed, { kind: 'found' }> {
  return host.root.stands() ? { kind: 'changed' } : { kind: 'unavailable', diagnostic: refusals.rootGone(path) };
}

/** What the system's refusal to reach a path means: never an absence. */
export function unreadable(
  host: Host,
  path: ProjectPath,
  code: string,
): { kind: 'unavailable'; diagnostic: Diagnostic } {
  const diagnostic = host.root.stands() ? refusals.unreadable(path, code) : refusals.rootGone(path);
  return { kind: 'unavailable', diagnostic };
}

function segmentsOf(path: string): string[] {
  return path.slice(parse(path).root.length).split(sep === '/' ? '/' : /[\\/]/);
}
