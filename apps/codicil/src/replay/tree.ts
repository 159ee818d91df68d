import { cpSync, mkdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { dirname } from 'node:path/posix';
import { CommandError } from '../command-error.ts';
import { scenarioDisk } from './disk.ts';
import type { TreeEntry } from './scenario.ts';

/**
 * Lays a scenario's tree down in an empty folder. Paths that begin with `../` lie beside the root; none leads elsewhere, through whatever
 * links the tree itself has. Throws a {@link CommandError} that names the entry.
 */
export function layDownTree(root: string, entries: readonly TreeEntry[]): void {
  mkdirSync(root, { recursive: true });
  const disk = scenarioDisk(root);
  const later: (() => void)[] = [];
  for (const [index, entry] of entries.entries()) {
    const carryOut = (work: () => void): void => {
      try {
        work();
      } catch (cause) {
        throw new CommandError(`entry ${index + 1} of the tree, ${entry.path}: ${(cause as Error).message}`, { cause });
      }
    };
    carryOut(() => {
      if (entry.dir === true) disk.makeFolder(entry.path);
      else if (entry.fifo === true) disk.makePipe(entry.path);
      else if (entry.symlink !== undefined) disk.symlink(entry.path, entry.symlink);
      else disk.write(entry.path, contentOf(entry));
    });
    const { mode, dirmode } = entry;
    if (mode !== undefined) later.push(() => carryOut(() => disk.chmod(entry.path, mode)));
    if (dirmode !== undefined) later.push(() => carryOut(() => disk.chmod(dirname(entry.path), dirmode)));
  }
  for (const change of later) change();
}

/** Copies a real project, without its `.git` and `node_modules` folders. */
export function copyTree(root: string, from: string): void {
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) throw new CommandError(`${from} is not a folder`);
  cpSync(from, root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path === from || !['.git', 'node_modules'].includes(basename(path)),
  });
}

function contentOf(entry: TreeEntry): string | Buffer {
  if (entry.base64 !== undefined) return Buffer.from(entry.base64, 'base64');
  if (entry.size === undefined) return entry.parts?.join('') ?? entry.text ?? '';
  const { size, fill = 'x', prefix = '' } = entry;
  const room = size - Buffer.byteLength(prefix);
  if (room < 0) throw new CommandError(`the prefix is longer than ${size} bytes`);
  const whole = Math.floor(room / Buffer.byteLength(fill));
  return prefix + fill.repeat(whole) + '\n'.repeat(room - whole * Buffer.byteLength(fill));
}
