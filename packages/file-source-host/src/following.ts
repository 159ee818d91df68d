import type { Diagnostic } from '@codicil/diagnostics';
import type { ProjectPath } from '@codicil/project-path';
import { systemCode } from './disk.ts';
import type { Host } from './host.ts';
import { refusals } from './refusals.ts';

/** Where a path leads when every link on its way is followed. */
export type Followed =
  | { readonly kind: 'found'; readonly real: string; readonly inside: ProjectPath | undefined }
  | { readonly kind: 'absent'; readonly diagnostic?: Diagnostic }
  | { readonly kind: 'refused'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'unavailable'; readonly diagnostic: Diagnostic };

export function follow(host: Host, path: ProjectPath): Followed {
  const native = host.root.native(path);
  try {
    const real = host.disk.realpath(native);
    return { kind: 'found', real, inside: host.root.project(real) };
  } catch (error) {
    return explain(host, path, systemCode(error));
  }
}

/** Names that no file system of this kind can hold. */
const LONGEST_NAME = 255;

/** What the system's refusal to reach a path means. An absence is told only while the root is proved to be there. */
export function explain(host: Host, path: ProjectPath, code: string): Exclude<Followed, { kind: 'found' }> {
  if (!host.root.stands()) return { kind: 'unavailable', diagnostic: refusals.rootGone(path) };
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return isLink(host, path) ? { kind: 'absent', diagnostic: refusals.dangling(path) } : { kind: 'absent' };
    case 'ELOOP':
      return { kind: 'refused', diagnostic: refusals.loop(path) };
    case 'ENAMETOOLONG':
      // A path of good names that is too long as a whole may well exist.
      if (path.split('/').some((name) => Buffer.byteLength(name) > LONGEST_NAME)) return { kind: 'absent' };
      return { kind: 'unavailable', diagnostic: refusals.unreadable(path, code) };
    default:
      return { kind: 'unavailable', diagnostic: refusals.unreadable(path, code) };
  }
}

function isLink(host: Host, path: ProjectPath): boolean {
  try {
    return host.disk.lstat(host.root.native(path))?.isSymbolicLink() === true;
  } catch (error) {
    systemCode(error);
    return false;
  }
}
