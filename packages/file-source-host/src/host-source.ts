import { existsSync } from 'node:fs';
import type { FileSource, FirstRead, ReadOptions } from '@codicil/file-source';
import { joinPath, type ProjectPath } from '@codicil/project-path';
import { findChanged } from './changed.ts';
import { nodeDisk, systemCode } from './disk.ts';
import { Host, type HostOptions } from './host.ts';
import { listFolder } from './listing.ts';
import { locatePath } from './locating.ts';
import { readFile, readFiles } from './reading.ts';
import { refusals } from './refusals.ts';
import { Root } from './root.ts';

/**
 * Opens a folder of this machine as a source. The root is known from now on by its identity: when it goes away or another folder takes its
 * place, every answer is `unavailable`. Rejects with a {@link HostSourceError} when `root` is no folder.
 */
export async function createHostSource(root: string, o: HostOptions = {}): Promise<FileSource> {
  const disk = o.disk ?? nodeDisk;
  const descriptors = o.descriptors ?? (process.platform === 'linux' && existsSync('/proc/self/fd'));
  const host = new Host(new Root(root, disk), disk, descriptors, o);
  return {
    root: host.root.spelling,
    ignoresCase: host.root.ignoresCase,
    async locate(path, options) {
      options?.signal?.throwIfAborted();
      return locatePath(host, path);
    },
    read: (path, options) => readFile(host, path, options),
    readMany: (paths, options) => readFiles(host, paths, options),
    readFirst: (folder, names, options) => readFirst(host, folder, names, options),
    list: (folder, options) => listFolder(host, folder, options),
    changed: (known, options) => findChanged(host, known, options?.signal),
  };
}

async function readFirst(
  host: Host,
  folder: ProjectPath,
  names: readonly string[],
  o: ReadOptions,
): Promise<FirstRead> {
  o.signal?.throwIfAborted();
  const passedOver: FirstRead['passedOver'][number][] = [];
  for (const name of names) {
    const path = joinPath(folder, name);
    if (isNothing(host, path)) continue;
    const outcome = await readFile(host, path, o);
    if (outcome.kind !== 'absent') return { name, outcome, passedOver };
    if (outcome.diagnostic !== undefined) passedOver.push(outcome.diagnostic);
  }
  const [first] = names;
  if (first !== undefined && !host.root.stands()) {
    const path = joinPath(folder, first);
    return { name: first, outcome: { kind: 'unavailable', diagnostic: refusals.rootGone(path) }, passedOver };
  }
  return { name: undefined, outcome: { kind: 'absent' }, passedOver };
}

/** A cheap look that proves no more than that nothing is there now; whatever else it finds is left to the read. */
function isNothing({ disk, root }: Host, path: ProjectPath): boolean {
  try {
    return disk.lstat(root.native(path)) === undefined;
  } catch (error) {
    systemCode(error);
    return false;
  }
}
