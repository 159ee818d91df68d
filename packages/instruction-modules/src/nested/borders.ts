import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { FileSource, FirstRead, ReadOptions } from '@codicil/file-source';
import { foldersAbove, isInside, joinPath, type ProjectPath, ROOT } from '@codicil/project-path';

/** Where another project begins. */
export type Border =
  | { readonly kind: 'repository'; readonly folder: ProjectPath; readonly diagnostic: Diagnostic }
  /** It could not be told whether one begins here. */
  | { readonly kind: 'unavailable'; readonly folder: ProjectPath; readonly diagnostic: Diagnostic };

/** A `.git` file names one folder; whatever is longer is none. */
const MAX_GIT_FILE_BYTES = 8_192;
const OWN_MODULES = '.git/modules' as ProjectPath;

/**
 * The shallowest border at or above each folder, for those that lie behind one. Asked only for folders in which something was found, so that a
 * project without nested files pays nothing.
 */
export async function findBorders(
  source: FileSource,
  folders: readonly ProjectPath[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<ProjectPath, Border>> {
  const suspects = [...new Set(folders.flatMap((folder) => [...foldersAbove(folder), folder]))];
  if (suspects.length === 0) return new Map();
  const options: ReadOptions = { maxBytes: MAX_GIT_FILE_BYTES, links: 'inside', signal };
  const probes = await Promise.all(suspects.map((folder) => source.readFirst(folder, ['.git'], options)));

  const own = new Map<ProjectPath, Border>();
  for (const [index, folder] of suspects.entries()) {
    const probe = probes[index];
    const border = probe === undefined ? undefined : await judge(source, folder, probe, options);
    if (border !== undefined) own.set(folder, border);
  }
  const borders = new Map<ProjectPath, Border>();
  for (const folder of folders) {
    const at = [...foldersAbove(folder), folder].find((above) => own.has(above));
    const border = at === undefined ? undefined : own.get(at);
    if (border !== undefined) borders.set(folder, border);
  }
  return borders;
}

async function judge(
  source: FileSource,
  folder: ProjectPath,
  { name, outcome, passedOver }: FirstRead,
  options: ReadOptions,
): Promise<Border | undefined> {
  if (outcome.kind === 'unavailable') return { kind: 'unavailable', folder, diagnostic: outcome.diagnostic };
  if (outcome.kind === 'refused') return repositoryAt(folder);
  if (outcome.kind === 'file') {
    const target = gitFolderNamed(outcome.bytes);
    if (target === undefined || (await isOwnSubmodule(source, folder, target, options))) return undefined;
    return repositoryAt(folder);
  }
  if (name === undefined && passedOver.length === 0) return undefined;
  // No file: a folder with a HEAD is a repository, one without is not (git itself passes over an empty one).
  const head = await source.read(joinPath(folder, '.git/HEAD'), options);
  if (head.kind === 'unavailable') return { kind: 'unavailable', folder, diagnostic: head.diagnostic };
  const isRepository = head.kind !== 'absent' || head.diagnostic?.code === 'symlink_dangling';
  return isRepository ? repositoryAt(folder) : undefined;
}

function repositoryAt(folder: ProjectPath): Border {
  return {
    kind: 'repository',
    folder,
    diagnostic: diagnostic('nested_repository', {
      path: folder,
      message: 'this folder is a repository of its own, so the instruction files in it are not loaded',
      hint: 'Open that repository as a project of its own, or let the layout cross nested repositories.',
    }),
  };
}

/** What a `.git` file points at, as it is written there. */
function gitFolderNamed(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return /^gitdir:[ \t]*(.*?)[\r\n]*$/s.exec(text)?.[1] || undefined;
}

const isAbsolute = (path: string): boolean => /^(?:[A-Za-z]:)?[\\/]/.test(path);

/** Git keeps a submodule's data in the `modules` folder of the repository that it belongs to. */
async function isOwnSubmodule(
  source: FileSource,
  folder: ProjectPath,
  target: string,
  options: ReadOptions,
): Promise<boolean> {
  const location = await source.locate(isAbsolute(target) ? target : `${folder}/${target}`, { signal: options.signal });
  if (location.kind === 'inside') {
    const place = location.real ?? location.named;
    return place !== undefined && place !== OWN_MODULES && isInside(OWN_MODULES, place);
  }
  // The root may itself be a linked worktree or a submodule: then its own data lies elsewhere, and its submodules' below that.
  const own = await source.read(joinPath(ROOT, '.git'), options);
  const ownTarget = own.kind === 'file' ? gitFolderNamed(own.bytes) : undefined;
  if (ownTarget === undefined) return false;
  const base = resolveFrom(source.root, ownTarget);
  return resolveFrom(`${source.root}/${folder}`, target).startsWith(`${base}/modules/`);
}

/** By spelling alone, in `/` form. */
function resolveFrom(folder: string, path: string): string {
  const segments: string[] = [];
  for (const segment of (isAbsolute(path) ? path : `${folder}/${path}`).replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}
