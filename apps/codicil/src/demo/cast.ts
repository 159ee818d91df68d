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
  const known = new Set<string>();
  const first = await touchOf(onTouch[0]?.relPath, candidates, known, project);
  // What the killed process leaves undelivered should be something new.
  const second = await touchOf(undefined, candidates, known, project);
  const any = candidates[0] ?? files[0];
  if (any === undefined) return undefined;
  return {
    first: first ?? any,
    second: second ?? first ?? any,
    rule: first === undefined ? undefined : ruleOf(onTouch[0], scan),
  };
}

/** The first file whose touch brings the wanted module, or any that is not known yet; what it brings is known then. */
async function touchOf(
  wanted: string | undefined,
  candidates: readonly string[],
  known: Set<string>,
  project: Project,
): Promise<string | undefined> {
  for (const path of candidates) {
    const delivered = (await project.resolver.forPaths([path])).modules.map(({ relPath }) => relPath);
    if (!delivered.some((relPath) => (wanted === undefined ? !known.has(relPath) : relPath === wanted))) continue;
    for (const relPath of delivered) known.add(relPath);
    return path;
  }
  return undefined;
}

function ruleOf(reach: ModuleReach | undefined, scan: ProjectScan): string | undefined {
  return scan.modules.find((found) => found.relPath === reach?.relPath)?.relPath;
}
