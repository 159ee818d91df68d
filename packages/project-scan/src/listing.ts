import { createRequire } from 'node:module';
import type { Diagnostic } from '@codicil/diagnostics';
import type { FileSource } from '@codicil/file-source';
import { joinPath, type ProjectPath, ROOT } from '@codicil/project-path';
import type ignore from 'ignore';

export interface ListingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told now and then, with the number of files found so far. */
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** What of a project a scan looks at. */
export interface ProjectListing {
  /** Files that Git would not ignore, in no particular order. Links count as files; nothing behind them is walked. */
  readonly files: readonly ProjectPath[];
  /** Those of the files that are links. */
  readonly links: readonly ProjectPath[];
  readonly folders: readonly ProjectPath[];
  /** Folders that could not be listed: what lies in them is missing from this listing. */
  readonly notListed: readonly ProjectPath[];
  /** Why they could not be listed. */
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_ENTRIES = 1_000_000;
const MAX_IGNORE_BYTES = 1_048_576;

/** A `.gitignore` and the folder that its patterns are relative to. */
interface IgnoreFile {
  readonly folder: ProjectPath;
  readonly rules: ignore.Ignore;
}

/** Lists a whole project as Git sees it: without `.git`, and without what a `.gitignore` or `.git/info/exclude` names. Git is not run. */
export async function listProject(source: FileSource, o: ListingOptions = {}): Promise<ProjectListing> {
  const files: ProjectPath[] = [];
  const links: ProjectPath[] = [];
  const folders: ProjectPath[] = [];
  const notListed: ProjectPath[] = [];
  const diagnostics: Diagnostic[] = [];
  const exclude = await ignoreFile(source, ROOT, '.git/info/exclude' as ProjectPath, o);
  const waiting: { folder: ProjectPath; above: readonly IgnoreFile[] }[] = [
    { folder: ROOT, above: exclude === undefined ? [] : [exclude] },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder, above } = next;
    const outcome = await source.list(folder, { maxEntries: MAX_ENTRIES, signal: o.signal });
    if (outcome.kind === 'refused' || outcome.kind === 'unavailable') {
      notListed.push(folder);
      diagnostics.push(outcome.diagnostic);
    }
    if (outcome.kind !== 'entries') continue;
    folders.push(folder);
    const own = outcome.entries.some((entry) => entry.name === '.gitignore' && entry.kind === 'file')
      ? await ignoreFile(source, folder, joinPath(folder, '.gitignore'), o)
      : undefined;
    const ignores = own === undefined ? above : [...above, own];
    for (const entry of outcome.entries) {
      if (entry.name === '.git') continue;
      const path = joinPath(folder, entry.name);
      if (isIgnored(path, entry.kind === 'folder', ignores)) continue;
      if (entry.kind === 'folder') waiting.push({ folder: path, above: ignores });
      else files.push(path);
      if (entry.linked) links.push(path);
    }
    o.onProgress?.(files.length);
  }
  return { files, links, folders, notListed, diagnostics };
}

/** The deepest file that has a say decides, as in Git. Folders above the path were not ignored, or it would not be asked about. */
function isIgnored(path: ProjectPath, isFolder: boolean, ignores: readonly IgnoreFile[]): boolean {
  for (let index = ignores.length - 1; index >= 0; index--) {
    const file = ignores[index];
    if (file === undefined) continue;
    const relative = file.folder === '' ? path : path.slice(file.folder.length + 1);
    const { ignored, unignored } = file.rules.test(isFolder ? `${relative}/` : relative);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

async function ignoreFile(
  source: FileSource,
  folder: ProjectPath,
  path: ProjectPath,
  o: ListingOptions,
): Promise<IgnoreFile | undefined> {
  const outcome = await source.read(path, { maxBytes: MAX_IGNORE_BYTES, links: 'inside', signal: o.signal });
  if (outcome.kind !== 'file') return undefined;
  const rules = newIgnore({ allowRelativePaths: true, ignorecase: source.ignoresCase });
  return { folder, rules: rules.add(new TextDecoder().decode(outcome.bytes)) };
}

function newIgnore(options: ignore.Options): ignore.Ignore {
  const create: typeof ignore = createRequire(import.meta.url)('ignore');
  return create(options);
}
