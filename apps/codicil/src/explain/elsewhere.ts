import type { Explanation } from '@codicil/instruction-modules';
import { defaultLayout } from '@codicil/instruction-modules';
import { baseName, compareCodePoints, type ProjectPath, parentOf } from '@codicil/project-path';
import { listProject } from '@codicil/project-scan';
import type { Project } from '../project.ts';

/** A nested module that lies in no folder above the touched paths. */
export interface ElsewhereModule {
  readonly relPath: ProjectPath;
  /** A touch in or below it would bring the module. */
  readonly folder: ProjectPath;
}

/** The nested modules of the rest of the project, by path: a resolver looks only at the folders of what is touched. */
export async function modulesElsewhere(
  project: Project,
  explanation: Explanation,
  onProgress: (files: number) => void,
): Promise<readonly ElsewhereModule[]> {
  const { files } = await listProject(project.source, { onProgress });
  const fold = (name: string): string => (project.source.ignoresCase ? name.toLowerCase() : name);
  const names = new Set(defaultLayout.candidateNames.map(fold));
  const candidates = files.filter((path) => parentOf(path) !== '' && names.has(fold(baseName(path))));
  const here = new Set([
    ...explanation.delivered.map(({ module }) => module.relPath),
    ...explanation.notApplied.map(({ relPath }) => relPath),
  ]);
  const { modules } = await project.resolver.forPaths(candidates);
  return modules
    .filter(({ origin, relPath }) => origin === 'nested' && !here.has(relPath))
    .map(({ relPath }) => ({ relPath, folder: parentOf(relPath) ?? relPath }))
    .sort((left, right) => compareCodePoints(left.relPath, right.relPath));
}
