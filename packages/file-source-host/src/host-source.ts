import { existsSync } from 'node:fs';
import type { FileSource } from '@codicil/file-source';
import { findChanged } from './changed.ts';
import { readFirst } from './choosing.ts';
import { nodeDisk } from './disk.ts';
import { Host, type HostOptions } from './host.ts';
import { listFolder } from './listing.ts';
import { locatePath } from './locating.ts';
import { readFile, readFiles } from './reading.ts';
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
