import { showHidden } from '@codicil/diagnostics';
import { otherFiles } from '../explain/other-files.ts';
import type { Project } from '../project.ts';

/** What is said of a project without a module: what was found instead, and what to do. */
export async function noModulesText(project: Project): Promise<string> {
  const found = await otherFiles(project.source);
  const start = 'This project has no instruction modules.';
  if (found.length === 0) {
    return `${start} Write an AGENTS.md at its root, or rules in .elowen/rules; \`codicil --help\` says more.`;
  }
  const lines = found.map(({ path, advice }) => `  ${showHidden(path)}: ${showHidden(advice)}`);
  return `${start} What was found is not read:\n${lines.join('\n')}`;
}
