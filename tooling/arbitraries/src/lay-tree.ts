import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { TreeEdit, TreeEntry, TreeSpec } from '@codicil/file-source';

/**
 * Lays a tree on the disk with `root` as its root; entries that begin with `../` lie beside it, so give the root a fresh folder above it. What is
 * there stays, except where an entry takes its place. Pipes need the `mkfifo` command.
 */
export function layTree(root: string, tree: TreeSpec): void {
  mkdirSync(root, { recursive: true });
  const modes: (readonly [string, number])[] = [];
  for (const entry of tree) {
    const path = join(root, entry.path);
    layEntry(root, path, entry);
    if ('mode' in entry && entry.mode !== undefined) modes.push([path, entry.mode]);
  }
  // Rights last, so that a closed folder can still be filled.
  for (const [path, mode] of modes) chmodSync(path, mode);
}

function layEntry(root: string, path: string, entry: TreeEntry): void {
  if ('folder' in entry) {
    makeFolder(root, path);
    return;
  }
  makeFolder(root, dirname(path));
  const there = statOf(path);
  if (there !== undefined && !(('text' in entry || 'bytes' in entry) && there.isFile()))
    rmSync(path, { recursive: true });
  if ('text' in entry) writeFileSync(path, entry.text);
  else if ('bytes' in entry) writeFileSync(path, entry.bytes);
  else if ('hardLink' in entry) linkSync(join(root, entry.hardLink), path);
  else if ('symlink' in entry) symlinkSync(entry.absolute === true ? join(root, entry.symlink) : entry.symlink, path);
  else execFileSync('mkfifo', [path]);
}

/** Makes one change on the disk, as the type says: total, and through no link. */
export function applyEdit(root: string, change: TreeEdit): void {
  const path = join(root, change.path);
  if (change.kind === 'write') layEntry(root, path, { path: change.path, text: change.text });
  else if (change.kind === 'mkdir') layEntry(root, path, { path: change.path, folder: true });
  else if (change.kind === 'rename') rename(root, path, join(root, change.to));
  else if (change.kind === 'symlink') {
    layEntry(root, path, { path: change.path, symlink: change.target, absolute: change.absolute });
  } else if (isThere(root, path)) {
    if (change.kind === 'remove') rmSync(path, { recursive: true });
    else if (statOf(path)?.isSymbolicLink() === false) chmodSync(path, change.mode);
  }
}

function rename(root: string, from: string, to: string): void {
  if (!isThere(root, from) || `${to}/`.startsWith(`${from}/`) || `${from}/`.startsWith(`${to}/`)) return;
  makeFolder(root, dirname(to));
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
}

/** Makes the folder and those above it; whatever else stands on the way is replaced. */
function makeFolder(root: string, folder: string): void {
  const top = resolve(root, '..');
  if (folder === top || !folder.startsWith(top)) return;
  makeFolder(root, dirname(folder));
  const there = statOf(folder);
  if (there?.isDirectory() === true) return;
  if (there !== undefined) rmSync(folder);
  mkdirSync(folder);
}

/** Whether the path exists with no link above it. */
function isThere(root: string, path: string): boolean {
  const top = resolve(root, '..');
  for (let folder = dirname(path); folder !== top && folder.startsWith(top); folder = dirname(folder)) {
    if (statOf(folder)?.isDirectory() !== true) return false;
  }
  return statOf(path) !== undefined;
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A file or a loop of links stands where a folder was expected: nothing can lie below it.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}
