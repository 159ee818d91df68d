import type { Diagnostic } from '@codicil/diagnostics';
import type { Inventory, NotApplied } from '@codicil/instruction-modules';
import { compareCodePoints, parentOf } from '@codicil/project-path';
import { globFindings } from './globs.ts';
import type { ProjectListing } from './listing.ts';
import { nestedRulesTrees, textFindings, upperCaseEndings } from './modules.ts';
import { inOrder } from './order.ts';
import { filesByFolder, type ModuleReach, reachOfRules } from './reach.ts';

export interface ProjectScan {
  /** Files of the project, without what Git ignores. */
  readonly files: number;
  readonly modules: readonly ModuleReach[];
  /** What `explain` says of every touch together, and what only a look at the whole project can tell. */
  readonly diagnostics: readonly Diagnostic[];
  /** What `explain` says of every touch; a rule is among them when no file at all brings it in. */
  readonly notApplied: readonly NotApplied[];
}

/** What a listing and an inventory of one project say together. Pure. */
export function judgeProject(listing: ProjectListing, inventory: Inventory): ProjectScan {
  const below = filesByFolder(listing, inventory);
  const startup = inventory.startup.map((module): ModuleReach => {
    const { relPath, origin } = module;
    return { relPath, origin, module, loads: 'startup', files: listing.files.length, globs: [] };
  });
  const nested = inventory.nested.map((module): ModuleReach => {
    const { relPath, origin } = module;
    const files = below.get(parentOf(relPath) ?? relPath) ?? 0;
    return { relPath, origin, module, loads: 'on touch', files, globs: [] };
  });
  const rules = judgeRules(listing, inventory);
  const idle = rules.filter(({ reach }) => reach.loads === 'never');
  const texts = [...inventory.startup, ...inventory.nested, ...inventory.rules.map(({ module }) => module)];
  return {
    files: listing.files.length,
    modules: [...startup, ...nested, ...rules.map(({ reach }) => reach)],
    diagnostics: inOrder([
      ...inventory.diagnostics,
      ...listing.diagnostics,
      ...globFindings(rules, listing),
      ...textFindings(texts, listing),
      ...nestedRulesTrees(listing, inventory),
      ...upperCaseEndings(listing, inventory),
    ]),
    notApplied: [
      ...inventory.notApplied,
      ...idle.map(({ rule }): NotApplied => {
        return { relPath: rule.module.relPath, reason: 'no_glob_matches', globs: rule.globs };
      }),
    ].sort((left, right) => compareCodePoints(left.relPath, right.relPath)),
  };
}

function judgeRules(listing: ProjectListing, inventory: Inventory) {
  const found = reachOfRules(listing, inventory);
  return inventory.rules.map((rule) => {
    const { module, globs } = rule;
    const own = found.get(module.relPath);
    const files = own?.files ?? 0;
    const reach: ModuleReach = {
      relPath: module.relPath,
      origin: 'rule',
      module: files > 0 ? module : undefined,
      loads: files > 0 ? 'on touch' : 'never',
      files,
      globs: globs.map((glob) => ({ glob, files: own?.byGlob.get(glob) ?? 0 })),
    };
    return { rule, reach };
  });
}
