import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';

/** An outcome as text that two sources can be compared by. */
export type Summary = string;

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** The real path of a path, or why there is none. */
function realOf(path: string): { readonly real: string } | { readonly code: string } {
  try {
    return { real: realpathSync.native(path) };
  } catch (error) {
    return { code: errorCode(error) };
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function below(root: string, real: string): string | undefined {
  if (real === root) return '';
  return real.startsWith(`${root}/`) ? relative(root, real) : undefined;
}

/** What a confined source must answer to a read, told by asking the disk plainly. Fit for a disk that nobody changes meanwhile. */
export function readOnDisk(root: string, path: string, maxBytes: number): Summary {
  const full = join(root, path);
  const found = realOf(full);
  if ('code' in found) {
    if (found.code === 'ELOOP') return 'refused symlink_refused';
    return isLink(full) ? 'absent symlink_dangling' : 'absent ';
  }
  const realPath = below(root, found.real);
  if (realPath === undefined) return 'refused instruction_module_escape';
  if (!lstatSync(found.real).isFile()) return 'absent not_a_regular_file';
  const bytes = readFileSync(found.real);
  return bytes.length > maxBytes ? 'refused context_file_oversized' : `file ${realPath} ${bytes.toString('hex')}`;
}

/** The same for a listing. */
export function listOnDisk(root: string, folder: string, maxEntries: number): Summary {
  let full = root;
  for (const name of folder === '' ? [] : folder.split('/')) {
    full = `${full}/${name}`;
    if (isLink(full)) return 'refused symlink_refused';
  }
  const found = realOf(full);
  if ('code' in found) return 'absent';
  if (!lstatSync(full).isDirectory()) return 'refused not_a_directory';
  const names = readdirSync(full);
  if (names.length > maxEntries) return 'refused listing_truncated';
  return names
    .map((name) => `${name} ${entryOnDisk(root, `${full}/${name}`)}`)
    .sort()
    .join('\n');
}

function entryOnDisk(root: string, path: string): Summary {
  const stat = lstatSync(path);
  if (stat.isFile()) return 'file false ';
  if (stat.isDirectory()) return 'folder false ';
  if (!stat.isSymbolicLink()) return 'other false not_a_regular_file';
  const found = realOf(path);
  if ('code' in found) return `other true ${found.code === 'ELOOP' ? 'symlink_refused' : 'symlink_dangling'}`;
  if (below(root, found.real) === undefined) return 'other true instruction_module_escape';
  const target = lstatSync(found.real);
  if (target.isDirectory()) return 'other true symlink_refused';
  return target.isFile() ? 'file true ' : 'other true not_a_regular_file';
}
