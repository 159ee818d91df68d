import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import type { TreeEntry } from './scenario.ts';

/** Lays a scenario's tree down in an empty folder. Paths that begin with `../` lie beside the root. */
export function layDownTree(root: string, entries: readonly TreeEntry[]): void {
  mkdirSync(root, { recursive: true });
  const modes: [path: string, mode: string][] = [];
  for (const entry of entries) {
    const path = placeOf(root, entry.path);
    mkdirSync(entry.dir === true ? path : dirname(path), { recursive: true });
    if (entry.mode !== undefined) modes.push([path, entry.mode]);
    if (entry.dirmode !== undefined) modes.push([dirname(path), entry.dirmode]);
    if (entry.dir === true) continue;
    if (entry.fifo === true) makeFifo(path);
    else if (entry.symlink !== undefined) symlinkSync(entry.symlink, path);
    else writeFileSync(path, contentOf(entry));
  }
  for (const [path, mode] of modes) chmodSync(path, Number.parseInt(mode, 8));
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

/** The native path of a path in a scenario; beside the root at most, never elsewhere on the machine. */
export function placeOf(root: string, path: string): string {
  const place = resolve(root, path);
  if (place !== dirname(root) && place.startsWith(join(dirname(root), '/'))) return place;
  throw new CommandError(`${path} lies neither below the root nor beside it`);
}

function contentOf(entry: TreeEntry): string | Buffer {
  if (entry.base64 !== undefined) return Buffer.from(entry.base64, 'base64');
  if (entry.size === undefined) return entry.parts?.join('') ?? entry.text ?? '';
  const { size, fill = 'x', prefix = '' } = entry;
  const room = size - Buffer.byteLength(prefix);
  if (room < 0) throw new CommandError(`${entry.path}: the prefix is longer than ${size} bytes`);
  const whole = Math.floor(room / Buffer.byteLength(fill));
  return prefix + fill.repeat(whole) + '\n'.repeat(room - whole * Buffer.byteLength(fill));
}

function makeFifo(path: string): void {
  const { status, error } = spawnSync('mkfifo', [path]);
  if (error !== undefined || status !== 0) throw new CommandError(`a FIFO cannot be made here: ${path}`);
}
