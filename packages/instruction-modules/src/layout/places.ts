import { isInside, type ProjectPath } from '@codicil/project-path';
import type { Layout } from './layout.ts';
import { sortCodePoints } from './order.ts';

/** Which folders of a project may hold which kind of module, by their names alone. The one owner of what a name means, and of case. */
export interface Places {
  /** Whether the target takes `A` and `a` for the same name. */
  readonly ignoresCase: boolean;
  /** The candidate names, each file once on a target that ignores case. */
  readonly candidateNames: readonly string[];
  /** In the order of what lies in them; none lies in another. */
  readonly rulesFolders: readonly ProjectPath[];
  /** Whether the path is a rules folder or lies in one. */
  isInRulesTree(path: ProjectPath): boolean;
  /** Whether a folder is one of the closed ones or lies in one. */
  isClosed(folder: ProjectPath): boolean;
  isCandidate(name: string): boolean;
  /** The folder below the root that owns a rules tree whose top is `folder`, and the rules folder of the layout that it is named like. */
  nestedTree(folder: ProjectPath): { readonly owner: ProjectPath; readonly tree: ProjectPath } | undefined;
}

export function placesOf(layout: Layout, ignoresCase: boolean): Places {
  const fold = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  const closed = new Set(layout.closedFolders.map(fold));
  const closedAtRoot = new Set(layout.closedRootFolders.map(fold));
  const candidateNames = layout.candidateNames.filter(
    (name, index, names) => names.findIndex((other) => fold(other) === fold(name)) === index,
  );
  const candidates = new Set(candidateNames.map(fold));
  const roots = [...new Set(layout.rulesFolders)] as ProjectPath[];
  const outermost = roots.filter((folder) => !roots.some((other) => other !== folder && isInside(other, folder)));
  const rulesFolders = sortCodePoints(outermost.map((folder) => `${folder}/`)).map(
    (folder) => folder.slice(0, -1) as ProjectPath,
  );
  const foldedRules = rulesFolders.map((folder) => fold(folder) as ProjectPath);

  return {
    ignoresCase,
    candidateNames,
    rulesFolders,
    isInRulesTree: (path) => foldedRules.some((folder) => isInside(folder, fold(path) as ProjectPath)),
    isClosed(folder) {
      const segments = fold(folder).split('/');
      return closedAtRoot.has(segments[0] ?? '') || segments.some((segment) => closed.has(segment));
    },
    isCandidate: (name) => candidates.has(fold(name)),
    nestedTree(folder) {
      const tree = rulesFolders.find((rules) => fold(folder).endsWith(`/${fold(rules)}`));
      return tree === undefined ? undefined : { owner: folder.slice(0, -tree.length - 1) as ProjectPath, tree };
    },
  };
}
