import { posix, win32 } from 'node:path';
import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { GitFiles } from './git-files.ts';
import type { HostProject, Project } from './project.ts';
import { readGitEntry } from './repository.ts';

/**
 * Why a session has no project:
 *
 * - `unregistered_binding`: it is bound to a project that is not registered
 * - `inaccessible_binding`: it is bound to a project that the policy does not admit
 * - `no_folder`: it is neither bound nor has it a working directory
 * - `unresolved_folder`: the working directory is not absolute, is absent where nothing is bound, or could not be looked at
 * - `unregistered_folder`: no accessible project contains the working directory
 * - `foreign_worktree`: the working directory lies in a linked worktree of another repository
 * - `broken_pointer`: the same as the one before last, and a `.git` on the way does not prove whose folder it is: it may have been a worktree
 */
export type NoneReason =
  | 'unregistered_binding'
  | 'inaccessible_binding'
  | 'no_folder'
  | 'unresolved_folder'
  | 'unregistered_folder'
  | 'foreign_worktree'
  | 'broken_pointer';

export type Placement =
  | {
      readonly kind: 'placed';
      readonly project: Project;
      /** Where the instructions are read: as the project gives it, or the real path of a worktree. For a managed project, in the guest. */
      readonly root: string;
      /** Whether the root is a linked worktree in place of the registered folder. */
      readonly worktree: boolean;
      /** `.git` entries that were passed over, since they prove nothing. A path is relative to the root, `''` outside it. */
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: 'none'; readonly reason: NoneReason; readonly diagnostics: readonly Diagnostic[] };

export interface PlacementQuestion {
  readonly boundProjectId: string | null;
  /** The session's own working directory on this machine, absolute. */
  readonly cwd: string | undefined;
  /** Every registered project. Of two with the same folder or repository, the first accessible one counts. */
  readonly projects: readonly Project[];
  /** The session's policy as it is now. Asked only for projects that would otherwise be chosen. */
  readonly canAccess: (project: Project) => Promise<boolean> | boolean;
  readonly files: GitFiles;
  readonly signal?: AbortSignal;
}

/**
 * Decides which project a session belongs to and from which folder its instructions come.
 *
 * The bound project wins, and never gives way to another one. Without one, the accessible project whose root is the nearest at or above the working
 * directory. In a linked worktree, the project whose `.git` the worktree shares, with the worktree's top folder for a root. A `.git` that cannot be read
 * proves nothing: it neither moves the root nor takes a project away. Rejects with what `files`, `canAccess` or the signal throws.
 */
export async function placeSession(question: PlacementQuestion): Promise<Placement> {
  const { boundProjectId, cwd } = question;
  if (boundProjectId !== null) return placeBound(question, boundProjectId);
  return cwd === undefined ? none('no_folder') : placeByFolder(question, cwd);
}

async function placeBound(question: PlacementQuestion, id: string): Promise<Placement> {
  const { cwd, files } = question;
  const project = question.projects.find((project) => project.id === id);
  if (project === undefined) return none('unregistered_binding');
  if (!(await question.canAccess(project))) return none('inaccessible_binding');
  if (project.kind === 'managed' || cwd === undefined) return placed(project);
  const folder = await realFolder(files, cwd);
  if (folder.kind === 'unknown') return none('unresolved_folder');
  // A folder that is not there is no worktree of anything.
  if (folder.kind === 'absent') return placed(project);
  const root = await files.realPath(project.root);
  const broken: string[] = [];
  for (const above of upwards(files, folder.path)) {
    if (root.kind === 'real' && root.path === above) break;
    question.signal?.throwIfAborted();
    const entry = await readGitEntry(files, above);
    if (entry.kind === 'broken') broken.push(above);
    if (entry.kind !== 'linked') continue;
    const isOwn = (await repositoryOf(files, project)) === entry.repository;
    return isOwn ? worktreeOf(files, project, above, broken) : none('foreign_worktree', tell(files, undefined, broken));
  }
  return placed(project, tell(files, root.kind === 'real' ? root.path : undefined, broken));
}

async function placeByFolder(question: PlacementQuestion, cwd: string): Promise<Placement> {
  const { files, signal } = question;
  const folder = await realFolder(files, cwd);
  if (folder.kind !== 'real') return none('unresolved_folder');
  const hosts = question.projects.filter((project) => project.kind === 'host');
  const byRoot = await rootsOf(files, hosts, signal);
  const broken: string[] = [];
  for (const above of upwards(files, folder.path)) {
    signal?.throwIfAborted();
    for (const project of byRoot.get(above) ?? [])
      if (await question.canAccess(project)) return placed(project, tell(files, above, broken));
    const entry = await readGitEntry(files, above);
    if (entry.kind === 'broken') broken.push(above);
    if (entry.kind !== 'linked') continue;
    // What lies above belongs to another checkout, so the search ends here.
    const project = await findByRepository(question, hosts, entry.repository);
    return project === undefined
      ? none('foreign_worktree', tell(files, undefined, broken))
      : worktreeOf(files, project, above, broken);
  }
  return none(broken.length === 0 ? 'unregistered_folder' : 'broken_pointer', tell(files, undefined, broken));
}

async function rootsOf(
  files: GitFiles,
  hosts: readonly HostProject[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly HostProject[]>> {
  const byRoot = new Map<string, HostProject[]>();
  for (const project of hosts) {
    signal?.throwIfAborted();
    const root = await files.realPath(project.root);
    if (root.kind !== 'real') continue;
    const same = byRoot.get(root.path);
    if (same === undefined) byRoot.set(root.path, [project]);
    else same.push(project);
  }
  return byRoot;
}

async function findByRepository(
  { files, canAccess, signal }: PlacementQuestion,
  hosts: readonly HostProject[],
  repository: string,
): Promise<HostProject | undefined> {
  for (const project of hosts) {
    signal?.throwIfAborted();
    if ((await repositoryOf(files, project)) === repository && (await canAccess(project))) return project;
  }
  return undefined;
}

/** The real path of the `.git` folder of the project's own root; a project that is registered by a linked worktree has the shared one. */
async function repositoryOf(files: GitFiles, project: HostProject): Promise<string | undefined> {
  const root = await realFolder(files, project.root);
  if (root.kind !== 'real') return undefined;
  const entry = await readGitEntry(files, root.path);
  return entry.kind === 'own' || entry.kind === 'linked' ? entry.repository : undefined;
}

/** A relative path would be one of this process, which says nothing about the session. */
async function realFolder(files: GitFiles, path: string): ReturnType<GitFiles['realPath']> {
  const { isAbsolute } = files.platform === 'win32' ? win32 : posix;
  return isAbsolute(path) ? files.realPath(path) : { kind: 'unknown' };
}

function* upwards({ platform }: GitFiles, folder: string): Generator<string> {
  const { dirname } = platform === 'win32' ? win32 : posix;
  for (let above = folder; ; above = dirname(above)) {
    yield above;
    if (dirname(above) === above) return;
  }
}

function placed(project: Project, diagnostics: readonly Diagnostic[] = []): Placement {
  return { kind: 'placed', project, root: project.root, worktree: false, diagnostics };
}

function worktreeOf(files: GitFiles, project: Project, root: string, broken: readonly string[]): Placement {
  return { kind: 'placed', project, root, worktree: true, diagnostics: tell(files, root, broken) };
}

function none(reason: NoneReason, diagnostics: readonly Diagnostic[] = []): Placement {
  return { kind: 'none', reason, diagnostics };
}

/** Says of each folder that its `.git` proves nothing; all paths are real ones. */
function tell({ platform }: GitFiles, root: string | undefined, folders: readonly string[]): readonly Diagnostic[] {
  const sep = platform === 'win32' ? win32.sep : posix.sep;
  const base = root === undefined || root.endsWith(sep) ? root : root + sep;
  return folders.map((folder) =>
    diagnostic('git_pointer_broken', {
      path: base !== undefined && folder.startsWith(base) ? folder.slice(base.length).replaceAll(sep, '/') : '',
      message: `the .git of ${folder} does not prove whose folder this is, so it is passed over`,
      hint: 'Run `git worktree repair` or `git submodule update --init`, or delete what is left of it.',
      facts: { folder },
    }),
  );
}
