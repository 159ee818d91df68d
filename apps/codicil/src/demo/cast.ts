import type { ModuleReach, ProjectScan } from '@codicil/project-scan';
import { listProject, scanProject } from '@codicil/project-scan';
import type { Project } from '../project.ts';

/** The files that the scripted model works on. */
export interface Cast {
  /** Touched first, edited, and touched again after the compaction. */
  readonly first: string;
  /** Touched just before the process is killed. */
  readonly second: string;
  /** An instruction file that the first file brings in: the model edits it, so that a later version supersedes it. */
  readonly rule: string | undefined;
}

/** Chooses files that bring instructions in, from whatever project this is; `undefined` when it has no files. */
export async function chooseCast(project: Project): Promise<Cast | undefined> {
  const { files } = await listProject(project.source);
  const candidates = files.filter((path) => !/\.(md|json|ya?ml|lock)$/i.test(path)).sort();
  const scan = await scanProject(project);
  const onTouch = scan.modules.filter((reach) => reach.loads === 'on touch');
  const first = await touchOf(onTouch[0], candidates, project);
  const second = await touchOf(onTouch[1] ?? onTouch[0], candidates, project, first);
  const any = candidates[0] ?? files[0];
  if (any === undefined) return undefined;
  return {
    first: first ?? any,
    second: second ?? first ?? any,
    rule: first === undefined ? undefined : ruleOf(onTouch[0], scan),
  };
}

async function touchOf(
  reach: ModuleReach | undefined,
  candidates: readonly string[],
  project: Project,
  not?: string,
): Promise<string | undefined> {
  if (reach === undefined) return undefined;
  for (const path of candidates) {
    if (path === not) continue;
    const { delivered } = await project.resolver.explain([path]);
    if (delivered.some(({ module }) => module.relPath === reach.relPath)) return path;
  }
  return undefined;
}

function ruleOf(reach: ModuleReach | undefined, scan: ProjectScan): string | undefined {
  return scan.modules.find((found) => found.relPath === reach?.relPath)?.relPath;
}
