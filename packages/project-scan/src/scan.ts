import type { Diagnostic } from '@codicil/diagnostics';
import type { FileSource } from '@codicil/file-source';
import type { Explanation, InstructionModule, InstructionResolver, Layout } from '@codicil/instruction-modules';
import { baseName, compareCodePoints, foldersAbove, joinPath, type ProjectPath, parentOf } from '@codicil/project-path';
import { globFindings } from './globs.ts';
import { type ListingOptions, listProject, type ProjectListing } from './listing.ts';
import { nestedRulesTrees, textFindings, upperCaseEndings } from './modules.ts';
import { type ModuleReach, type Reach, reachOf } from './reach.ts';

export interface ScanOptions extends ListingOptions {
  readonly source: FileSource;
  readonly resolver: InstructionResolver;
  readonly layout: Layout;
}

export interface ProjectScan {
  /** Files of the project, without what Git ignores. */
  readonly files: number;
  readonly modules: readonly ModuleReach[];
  /** What `explain` says of every touch together, and what only a look at the whole project can tell. */
  readonly diagnostics: readonly Diagnostic[];
  readonly notApplied: Explanation['notApplied'];
}

/** Looks at every file of the project once, and asks the resolver what a touch of them would bring. */
export async function scanProject(o: ScanOptions): Promise<ProjectScan> {
  const listing = await listProject(o.source, o);
  const bare = await o.resolver.explain([], { signal: o.signal });
  const rules = bare.notApplied.filter((found) => found.reason === 'no_glob_matches');
  const reach = reachOf(rules, listing.files, o.source.ignoresCase);
  const explanation = await o.resolver.explain(representatives(listing, reach, o.layout), { signal: o.signal });

  const modules: ModuleReach[] = [];
  for (const module of explanation.startup) {
    modules.push({
      relPath: module.relPath,
      origin: module.origin,
      module,
      loads: 'startup',
      files: listing.files.length,
      globs: [],
    });
  }
  const below = filesByFolder(listing.files);
  const delivered = new Map(explanation.delivered.map(({ module }) => [module.relPath, module]));
  for (const module of delivered.values()) {
    if (module.origin !== 'nested') continue;
    const files = below.get(parentOf(module.relPath) ?? module.relPath) ?? 0;
    modules.push({ relPath: module.relPath, origin: 'nested', module, loads: 'on touch', files, globs: [] });
  }
  for (const { relPath, globs } of rules) {
    const found = reach.get(relPath);
    const module = delivered.get(relPath);
    modules.push({
      relPath,
      origin: 'rule',
      module,
      loads: (found?.files ?? 0) > 0 ? 'on touch' : 'never',
      files: found?.files ?? 0,
      globs: globs.map((glob) => ({ glob, files: found?.byGlob.get(glob) ?? 0 })),
    });
  }

  const texts = [...explanation.startup, ...delivered.values(), ...(await idleModules(modules, o))];
  const diagnostics = [
    ...explanation.diagnostics,
    ...listing.diagnostics,
    ...(await globFindings(modules, listing.files, o)),
    ...textFindings(texts, listing),
    ...nestedRulesTrees(listing, o.layout),
    ...upperCaseEndings(listing, o.layout),
  ];
  return {
    files: listing.files.length,
    modules,
    diagnostics: inOrder(diagnostics),
    notApplied: explanation.notApplied,
  };
}

/** Touches that together bring in every module that any touch can: one a folder that holds a candidate, one a rule. */
function representatives(
  listing: ProjectListing,
  reach: ReadonlyMap<ProjectPath, Reach>,
  layout: Layout,
): readonly ProjectPath[] {
  const names = new Set(layout.candidateNames);
  const touches = new Set<ProjectPath>();
  const folders = new Set<ProjectPath>();
  for (const file of listing.files) {
    const folder = parentOf(file);
    if (folder === undefined || folder === '' || !names.has(baseName(file)) || folders.has(folder)) continue;
    folders.add(folder);
    touches.add(joinPath(folder, baseName(file)));
  }
  for (const { first } of reach.values()) if (first !== undefined) touches.add(first);
  return [...touches].sort(compareCodePoints);
}

/** The rules that no file brings in: asked for by a place where a file would. */
async function idleModules(modules: readonly ModuleReach[], o: ScanOptions): Promise<readonly InstructionModule[]> {
  const idle = new Map<ProjectPath, readonly string[]>();
  for (const { relPath, loads, globs } of modules) {
    if (loads === 'never')
      idle.set(
        relPath,
        globs.map(({ glob }) => glob.replace(/\*+|\?/g, 'x')),
      );
  }
  const found = await o.resolver.forPaths([...idle.values()].flat(), { signal: o.signal });
  return found.modules.filter(({ relPath }) => idle.has(relPath));
}

function filesByFolder(files: readonly ProjectPath[]): ReadonlyMap<ProjectPath, number> {
  const counts = new Map<ProjectPath, number>();
  for (const file of files) for (const folder of foldersAbove(file)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
}

/** By path, then place, then code: the same tree gives the same report. */
export function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return [...diagnostics]
    .filter((found) => {
      const key = `${found.path}\0${found.code}\0${found.range?.start.line ?? 0}:${found.range?.start.column ?? 0}\0${found.message}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .sort(
      (a, b) =>
        compareCodePoints(a.path, b.path) ||
        (a.range?.start.line ?? 0) - (b.range?.start.line ?? 0) ||
        (a.range?.start.column ?? 0) - (b.range?.start.column ?? 0) ||
        compareCodePoints(a.code, b.code),
    );
}
