import { createSelector, type Glob } from '@codicil/glob-select';
import type { InstructionModule, Inventory } from '@codicil/instruction-modules';
import { foldersAbove, type ProjectPath } from '@codicil/project-path';
import type { ProjectListing } from './listing.ts';

/** How much of the project one module is about. */
export interface ModuleReach {
  readonly relPath: ProjectPath;
  readonly origin: InstructionModule['origin'];
  /** The module; `undefined` for a rule whose globs match no file of the project, since nothing brings it in. */
  readonly module: InstructionModule | undefined;
  readonly loads: 'startup' | 'on touch' | 'never';
  /** Files whose touch brings it in; for the startup set all of them. */
  readonly files: number;
  readonly globs: readonly { readonly glob: Glob; readonly files: number }[];
}

/** What the globs of one rule match. */
export interface Reach {
  readonly files: number;
  readonly byGlob: ReadonlyMap<Glob, number>;
}

/** How many files each rule's globs match, by their names and, for links, by their real places. */
export function reachOfRules(listing: ProjectListing, inventory: Inventory): ReadonlyMap<ProjectPath, Reach> {
  const selector = createSelector(
    inventory.rules.map(({ module, globs }) => ({ id: module.relPath, globs })),
    { ignoreCase: inventory.places.ignoresCase },
  );
  const reach = new Map(
    inventory.rules.map(({ module }) => [module.relPath, { files: 0, byGlob: new Map<Glob, number>() }]),
  );
  for (const file of listing.files) {
    const matched = new Map<ProjectPath, Set<Glob>>();
    for (const name of inventory.links.get(file)?.names ?? [file]) {
      for (const { id, glob } of selector.match(name)) {
        const globs = matched.get(id);
        if (globs === undefined) matched.set(id, new Set([glob]));
        else globs.add(glob);
      }
    }
    for (const [id, globs] of matched) {
      const found = reach.get(id);
      if (found === undefined) continue;
      found.files += 1;
      for (const glob of globs) found.byGlob.set(glob, (found.byGlob.get(glob) ?? 0) + 1);
    }
  }
  return reach;
}

/** How many files bring in what lies in each folder. */
export function filesByFolder(listing: ProjectListing, inventory: Inventory): ReadonlyMap<ProjectPath, number> {
  const counts = new Map<ProjectPath, number>();
  for (const file of listing.files) {
    const folders = inventory.links.get(file)?.folders ?? foldersAbove(file);
    for (const folder of folders) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}
