import { posix, win32 } from 'node:path';
import type { GitFiles, HostProject } from '@codicil/project-placement';
import fc from 'fast-check';

/** What stands at a place of the tree: a project with its repository, a worktree of one of the repositories, or what a search passes through. */
export interface Site {
  readonly path: string;
  /** The number of the project whose repository a worktree shares; one that no project has is another's. */
  readonly kind: 'project' | 'worktree' | 'submodule' | 'clone';
  readonly repository: number;
  readonly relative: boolean;
  readonly accessible: boolean;
}

/** A disk with sites on it, as a placement is asked about it. */
export interface Scenario {
  readonly platform: 'posix' | 'win32';
  readonly sites: readonly Site[];
  readonly cwd: string;
}

const NAMES = ['a', 'A', 'a b', '.git-a', 'é', 'e\u0301'] as const;

function anyPlace(platform: 'posix' | 'win32'): fc.Arbitrary<string> {
  const sep = platform === 'win32' ? '\\' : '/';
  // Windows takes `A` and `a` for one folder.
  const names = platform === 'win32' ? NAMES.filter((name) => name !== 'A') : NAMES;
  return (
    fc
      // One name more often than the others, so that places lie inside one another.
      .array(
        fc.oneof({ weight: 3, arbitrary: fc.constant('a') }, { weight: 1, arbitrary: fc.constantFrom(...names) }),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((path) => [platform === 'win32' ? 'C:' : '', ...path].join(sep))
  );
}

export function anyScenario(): fc.Arbitrary<Scenario> {
  return fc.constantFrom('posix' as const, 'win32' as const).chain((platform) => {
    const place = anyPlace(platform);
    const site = fc.record<Site>({
      path: place,
      kind: fc.constantFrom('project', 'project', 'worktree', 'worktree', 'submodule', 'clone'),
      repository: fc.nat({ max: 3 }),
      relative: fc.boolean(),
      accessible: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
    });
    const sites = fc.uniqueArray(site, { selector: ({ path }) => path, minLength: 1, maxLength: 7 });
    return fc.record({ platform: fc.constant(platform), sites, cwd: place });
  });
}

export function projectsOf({ sites }: Scenario): readonly HostProject[] {
  return sites
    .filter(({ kind }) => kind === 'project')
    .map(({ path }, index) => ({ kind: 'host', id: `${index}`, root: path }));
}

/** Lays the scenario out as Git does: administrative folders below the shared repository, pointers relative or absolute. */
export function filesOf(scenario: Scenario): GitFiles {
  const { platform, sites, cwd } = scenario;
  const { join, relative, sep } = platform === 'win32' ? win32 : posix;
  const texts = new Map<string, string>();
  const folders = new Set<string>([cwd]);
  const projects = projectsOf(scenario);
  for (const [index, site] of sites.entries()) {
    const entry = join(site.path, '.git');
    if (site.kind === 'project' || site.kind === 'clone') folders.add(entry);
    else {
      const top = projects[site.repository]?.root ?? `${platform === 'win32' ? 'D:' : ''}${sep}elsewhere`;
      const repository = join(top, '.git');
      const administrative = join(repository, 'of', `${index}`);
      folders.add(administrative);
      texts.set(entry, `gitdir: ${site.relative ? relative(site.path, administrative) : administrative}\n`);
      texts.set(join(administrative, 'gitdir'), `${site.relative ? relative(administrative, entry) : entry}\n`);
      if (site.kind === 'worktree')
        texts.set(
          join(administrative, 'commondir'),
          `${site.relative ? relative(administrative, repository) : repository}\n`,
        );
    }
  }
  return memoryFiles(platform, folders, texts);
}

/** A disk without links, which knows the folders above whatever it holds. */
export function memoryFiles(
  platform: 'posix' | 'win32',
  leaves: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
): GitFiles {
  const { dirname, normalize } = platform === 'win32' ? win32 : posix;
  const folders = new Set<string>();
  const raise = (folder: string): void => {
    if (folders.has(folder)) return;
    folders.add(folder);
    raise(dirname(folder));
  };
  for (const leaf of leaves) raise(normalize(leaf));
  for (const file of texts.keys()) raise(dirname(file));
  const kindOf = (path: string): 'file' | 'folder' | 'absent' => {
    if (texts.has(path)) return 'file';
    return folders.has(path) ? 'folder' : 'absent';
  };
  return {
    platform,
    realPath: async (path) => {
      const real = normalize(path).replace(/(?<=[^:\\/])[\\/]$/, '');
      return kindOf(real) === 'absent' ? { kind: 'absent' } : { kind: 'real', path: real };
    },
    kind: async (path) => kindOf(normalize(path)),
    readText: async (path) => {
      const text = texts.get(normalize(path));
      return text === undefined ? { kind: 'absent' } : { kind: 'text', text };
    },
  };
}
