import { posix, win32 } from 'node:path';
import type { GitFiles } from './git-files.ts';

/** What the `.git` entry of a folder says. `repository` is always a real path. */
export type GitEntry =
  | { readonly kind: 'none' }
  /** A repository's own folder, or a file that leads to one, as in a submodule. */
  | { readonly kind: 'own'; readonly repository: string }
  /** A linked worktree of the repository, which it shares with others. */
  | { readonly kind: 'linked'; readonly repository: string }
  /** It is there and proves nothing. */
  | { readonly kind: 'broken' };

/** The most bytes of a pointer file. */
export const MAX_POINTER_BYTES = 4_096;

/**
 * Reads the `.git` entry of a folder, given by its real path, as gitrepository-layout(5) has it, without running Git.
 *
 * ```
 * <folder>/.git           gitdir: <administrative folder>    relative to <folder>
 * <admin…>/commondir      <repository>                       relative to the administrative folder
 * <admin…>/gitdir         <folder>/.git                      the way back
 * ```
 *
 * An administrative folder without a `commondir` is a repository of its own, as a submodule's is.
 */
export async function readGitEntry(files: GitFiles, folder: string): Promise<GitEntry> {
  const entry = follow(files, folder, '.git');
  switch (await files.kind(entry)) {
    case 'absent':
      return { kind: 'none' };
    case 'folder':
      return entryOf('own', await realFolder(files, entry));
    case 'file':
      break;
    default:
      return { kind: 'broken' };
  }
  const gitdir = await readPointer(files, entry, 'gitdir: ');
  if (gitdir.kind !== 'path') return { kind: 'broken' };
  const administrative = await realFolder(files, follow(files, folder, gitdir.path));
  if (administrative === undefined) return { kind: 'broken' };
  const commondir = await readPointer(files, follow(files, administrative, 'commondir'), '');
  if (commondir.kind === 'absent') return { kind: 'own', repository: administrative };
  if (commondir.kind !== 'path' || !(await namesBack(files, administrative, entry))) return { kind: 'broken' };
  return entryOf('linked', await realFolder(files, follow(files, administrative, commondir.path)));
}

/** Whoever can write a folder can let its `.git` file name a repository; that the repository knows the folder is what proves it. */
async function namesBack(files: GitFiles, administrative: string, entry: string): Promise<boolean> {
  const back = await readPointer(files, follow(files, administrative, 'gitdir'), '');
  if (back.kind !== 'path') return false;
  const [named, real] = [await files.realPath(follow(files, administrative, back.path)), await files.realPath(entry)];
  return named.kind === 'real' && real.kind === 'real' && named.path === real.path;
}

function entryOf(kind: 'own' | 'linked', repository: string | undefined): GitEntry {
  return repository === undefined ? { kind: 'broken' } : { kind, repository };
}

type Pointer = { readonly kind: 'path'; readonly path: string } | { readonly kind: 'absent' | 'unusable' };

/** Takes what Git takes: the prefix to the letter, line breaks at the end and none of the blanks cut off. */
async function readPointer(files: GitFiles, file: string, prefix: string): Promise<Pointer> {
  const read = await files.readText(file, MAX_POINTER_BYTES);
  if (read.kind !== 'text') return read;
  const path = read.text.slice(prefix.length).replace(/[\r\n]+$/, '');
  return read.text.startsWith(prefix) && path !== '' && !path.includes('\0')
    ? { kind: 'path', path }
    : { kind: 'unusable' };
}

/** Puts the two together without resolving `..`, which has to wait until the links before it are followed. */
function follow({ platform }: GitFiles, folder: string, path: string): string {
  const { isAbsolute, sep } = platform === 'win32' ? win32 : posix;
  if (isAbsolute(path)) return path;
  return folder.endsWith(sep) ? folder + path : folder + sep + path;
}

async function realFolder(files: GitFiles, path: string): Promise<string | undefined> {
  const real = await files.realPath(path);
  return real.kind === 'real' && (await files.kind(real.path)) === 'folder' ? real.path : undefined;
}
