import type { Diagnostic } from '@codicil/diagnostics';
import type { FileSource } from '@codicil/file-source';
import type { ProjectPath } from '@codicil/project-path';

/** What a person named as a file that an agent touches. */
export interface TouchedPath {
  /** As it was given. */
  readonly path: string;
  readonly kind:
    | 'file'
    /** Nothing is there, or a link to nothing: what is said of it would hold once it is there. */
    | 'missing'
    | 'folder'
    | 'outside'
    /** A pipe, a socket or a device. */
    | 'special'
    /** It could not be told: a diagnostic says why. */
    | 'unknown';
}

/** Looks at each path without reading it. `touched` has them as the resolver takes them, `paths` as they were given. */
export function lookAtPaths(
  source: FileSource,
  touched: readonly string[],
  paths: readonly string[],
): Promise<readonly TouchedPath[]> {
  return Promise.all(paths.map(async (path, index) => ({ path, kind: await kindOf(source, touched[index] ?? path) })));
}

async function kindOf(source: FileSource, path: string): Promise<TouchedPath['kind']> {
  const location = await source.locate(path);
  if (location.kind === 'outside') return 'outside';
  if (location.kind === 'unavailable') return 'unknown';
  const place = location.real ?? location.named;
  return place === undefined ? 'unknown' : kindAt(source, place);
}

async function kindAt(source: FileSource, place: ProjectPath): Promise<TouchedPath['kind']> {
  // A cap of nothing: a file with a text is refused by its size alone, and no byte of it is read.
  const outcome = await source.read(place, { maxBytes: 0, links: 'inside' });
  switch (outcome.kind) {
    case 'file':
      return 'file';
    case 'unavailable':
      return 'unknown';
    case 'absent':
      return outcome.diagnostic === undefined ? 'missing' : kindBy(outcome.diagnostic);
    case 'refused':
      return kindBy(outcome.diagnostic);
  }
}

function kindBy({ code, facts }: Diagnostic): TouchedPath['kind'] {
  if (code === 'not_a_regular_file') return facts?.['what'] === 'folder' ? 'folder' : 'special';
  return 'file';
}
