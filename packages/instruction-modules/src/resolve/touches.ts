import type { Diagnostic } from '@codicil/diagnostics';
import type { FileSource, Location } from '@codicil/file-source';
import { foldersAbove, type ProjectPath } from '@codicil/project-path';

/** A touched path that lies in the project. */
export interface Touch {
  /** As it was asked about. */
  readonly path: string;
  /** Its names there, by its spelling and by its real place: rules match by each. */
  readonly names: readonly ProjectPath[];
  /** The folders whose nested files it brings, with the name by which it lies in them. */
  readonly folders: ReadonlyMap<ProjectPath, ProjectPath>;
}

export interface Touches {
  readonly inside: readonly Touch[];
  /** Those of which it could not be told where they lie. */
  readonly unavailable: readonly ProjectPath[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Where the touched paths lie. What lies outside contributes nothing, not even a diagnostic. */
export async function locateTouches(
  source: FileSource,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Touches> {
  const distinct = [...new Set(paths)];
  const locations = await Promise.all(distinct.map((path) => source.locate(path, { signal })));
  const inside: Touch[] = [];
  const unavailable: ProjectPath[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, path] of distinct.entries()) {
    const location = locations[index];
    if (location === undefined) continue;
    if (location.kind === 'inside') inside.push(touchAt(path, location, source.ignoresCase));
    else if (location.kind === 'unavailable') {
      unavailable.push(location.diagnostic.path as ProjectPath);
      diagnostics.push(location.diagnostic);
    }
  }
  return { inside, unavailable, diagnostics };
}

function touchAt(path: string, location: Extract<Location, { kind: 'inside' }>, ignoresCase: boolean): Touch {
  const { named, real, firstLink } = location;
  const folders = new Map<ProjectPath, ProjectPath>();
  if (real !== undefined) for (const folder of foldersAbove(real)) folders.set(folder, real);
  if (named !== undefined && (firstLink !== undefined || real === undefined)) {
    // Behind its first link a name leads to another place: the folders there are found under their real names.
    for (const folder of foldersAbove(firstLink ?? named)) if (!folders.has(folder)) folders.set(folder, named);
  }
  return { path, names: namesOf(named, real, ignoresCase), folders };
}

function namesOf(
  named: ProjectPath | undefined,
  real: ProjectPath | undefined,
  ignoresCase: boolean,
): readonly ProjectPath[] {
  if (named === undefined) return real === undefined ? [] : [real];
  if (real === undefined || real === named) return [named];
  return ignoresCase && real.toLowerCase() === named.toLowerCase() ? [real] : [named, real];
}
