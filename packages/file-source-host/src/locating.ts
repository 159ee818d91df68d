import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import type { Location } from '@codicil/file-source';
import { foldersAbove, type ProjectPath, within } from '@codicil/project-path';
import { systemCode } from './disk.ts';
import type { Host } from './host.ts';
import { refusals } from './refusals.ts';

/** `.` and `..` of the path are taken by their spelling, before any link is followed, as tools do that resolve paths before they use them. */
export function locatePath(host: Host, path: string): Location {
  const { root } = host;
  if (!root.stands()) return { kind: 'unavailable', diagnostic: refusals.rootGone('') };
  if (path.includes('\0')) return { kind: 'outside' };
  const rules = { platform: sep === '/' ? 'posix' : 'win32', ignoreCase: root.ignoresCase } as const;
  const named = within(root.spelling, path, rules) ?? within(root.real, path, rules);
  const native = named === undefined ? resolve(root.spelling, path) : root.native(named);
  try {
    const place = realPlace(host, native);
    const real = place === undefined ? undefined : root.project(place);
    if (named === undefined && real === undefined) return { kind: 'outside' };
    // Nothing on the way is a link when the real place is spelled as the name is.
    const firstLink = named === undefined || place === native ? undefined : firstLinkOf(host, named);
    return { kind: 'inside', named, real, firstLink };
  } catch (error) {
    const code = systemCode(error);
    // A place beyond a closed folder that no spelling puts inside is somebody else's.
    if (named === undefined) return { kind: 'outside' };
    return { kind: 'unavailable', diagnostic: refusals.unreadable(named, code) };
  }
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** Where a path lies or would lie, links followed as far as there is something; `undefined` for a loop. Throws what the system says. */
function realPlace({ disk }: Host, native: string): string | undefined {
  try {
    return disk.realpath(native);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ELOOP') return undefined;
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ENAMETOOLONG') throw error;
  }
  let followed = 0;
  let place = parse(native).root;
  const pending = segmentsOf(native).reverse();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      place = dirname(place);
      continue;
    }
    const next = join(place, name);
    const stat = statOf(disk, next);
    // Below a place that does not exist, `..` can only be taken by its spelling.
    if (stat === undefined) return resolve(next, ...pending.reverse());
    if (!stat.isSymbolicLink()) {
      place = next;
      continue;
    }
    followed += 1;
    if (followed > MOST_LINKS) return undefined;
    const target = disk.readlink(next);
    if (isAbsolute(target)) place = parse(resolve(target)).root;
    pending.push(...segmentsOf(target).reverse());
  }
  return place;
}

function statOf(disk: Host['disk'], path: string): ReturnType<Host['disk']['lstat']> {
  try {
    return disk.lstat(path);
  } catch (error) {
    if (systemCode(error) === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

function segmentsOf(path: string): string[] {
  return path.slice(parse(path).root.length).split(sep === '/' ? '/' : /[\\/]/);
}

function firstLinkOf(host: Host, named: ProjectPath): ProjectPath | undefined {
  for (const path of [...foldersAbove(named), named]) {
    const stat = statOf(host.disk, host.root.native(path));
    if (stat === undefined) return undefined;
    if (stat.isSymbolicLink()) return path;
  }
  return undefined;
}
