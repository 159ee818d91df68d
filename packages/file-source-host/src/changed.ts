import type { Known } from '@codicil/file-source';
import { type ProjectPath, parentOf, ROOT } from '@codicil/project-path';
import { systemCode } from './disk.ts';
import type { Host } from './host.ts';
import { Pace } from './pace.ts';
import type { PinnedFolder } from './pinned-folder.ts';
import { HostStamp, sameFigures } from './stamps.ts';

/** Compares each stamp with one `lstat`, and asks once a call whether each folder above is still a folder and no link. */
export async function findChanged(
  host: Host,
  known: readonly Known[],
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  const pace = new Pace(signal);
  // All is asked of the root that is held, so that no other folder can answer in its place.
  const root = host.tryPin(host.root.real);
  if (root === undefined) return [...known.keys()];
  try {
    const changed: number[] = [];
    const folders: Folders = { real: new Map(), standing: new Map([[ROOT, true]]) };
    // Folders first: what is learnt of them need not be asked for the files below.
    for (const folder of [true, false]) {
      for (let index = 0; index < known.length; index++) {
        const one = known[index];
        if (one === undefined) continue;
        const stamp: object = one.stamp;
        const readable = stamp instanceof HostStamp && stamp.owner === host;
        if ((readable && stamp.folder) !== folder) continue;
        if (!readable || !stamp.proves || stamp.path !== one.path || !isUnchanged(root, stamp, folders))
          changed.push(index);
        if (pace.due()) await pace.rest();
      }
    }
    // A root that went away meanwhile took the proofs with it.
    if (!root.stands()) return [...known.keys()];
    return changed.sort((left, right) => left - right);
  } finally {
    root.close();
  }
}

/** What one call has learnt of folders. */
interface Folders {
  /** Whether it is a folder and no link. */
  readonly real: Map<ProjectPath, boolean>;
  /** Whether that is so of it and of all above it. */
  readonly standing: Map<ProjectPath, boolean>;
}

function isUnchanged(root: PinnedFolder, stamp: HostStamp, folders: Folders): boolean {
  try {
    const stat = root.lstat(stamp.path === ROOT ? '.' : stamp.path);
    if (stamp.folder) folders.real.set(stamp.path, stat?.isDirectory() === true);
    if (stat === undefined || !sameFigures(stamp, stat)) return false;
    return stamp.parent === undefined || areFolders(root, stamp.parent, folders);
  } catch (error) {
    systemCode(error);
    return false;
  }
}

/** Whether the path and all above it are folders, no links. Each is asked once. */
function areFolders(root: PinnedFolder, path: ProjectPath, folders: Folders): boolean {
  const known = folders.standing.get(path);
  if (known !== undefined) return known;
  let real = folders.real.get(path);
  if (real === undefined) {
    real = root.lstat(path)?.isDirectory() === true;
    folders.real.set(path, real);
  }
  const standing = real && areFolders(root, parentOf(path) ?? ROOT, folders);
  folders.standing.set(path, standing);
  return standing;
}
