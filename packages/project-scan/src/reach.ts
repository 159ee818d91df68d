import { createSelector, type Glob } from '@codicil/glob-select';
import type { InstructionModule, NotApplied } from '@codicil/instruction-modules';
import type { ProjectPath } from '@codicil/project-path';

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
  files: number;
  first: ProjectPath | undefined;
  readonly byGlob: Map<Glob, number>;
}

export function reachOf(
  rules: readonly NotApplied[],
  files: readonly ProjectPath[],
  ignoreCase: boolean,
): Map<ProjectPath, Reach> {
  const selector = createSelector(
    rules.map(({ relPath, globs }) => ({ id: relPath, globs })),
    { ignoreCase },
  );
  const reach = new Map<ProjectPath, Reach>(
    rules.map(({ relPath }) => [relPath, { files: 0, first: undefined, byGlob: new Map() }]),
  );
  for (const file of files) {
    let last: ProjectPath | undefined;
    for (const { id, glob } of selector.match(file)) {
      const found = reach.get(id);
      if (found === undefined) continue;
      found.byGlob.set(glob, (found.byGlob.get(glob) ?? 0) + 1);
      if (id !== last) {
        found.files++;
        found.first ??= file;
      }
      last = id;
    }
  }
  return reach;
}
