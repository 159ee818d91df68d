import { resolve } from 'node:path';
import type { Explanation } from '@codicil/instruction-modules';
import { inOrder } from '@codicil/project-scan';
import { type ElsewhereModule, modulesElsewhere } from '../explain/elsewhere.ts';
import type { Explained } from '../explain/explained.ts';
import { lookAtPaths, type TouchedPath } from '../explain/touched-path.ts';
import { findRoot, openProject, type Project } from '../project.ts';
import { explanationText } from '../view/explanation.ts';
import { type ExplainOptions, moduleJson } from '../view/modules.ts';
import type { Output } from '../view/output.ts';
import { loadTokenCounter, type TokenCounter } from '../view/tokens.ts';
import { count } from '../view/words.ts';
import { explainProject } from './explain-project.ts';

/** `codicil explain [PATH…]`: 0, and 2 when a path cannot be touched: it lies outside the project, or is a folder. */
export async function explain(paths: readonly string[], o: ExplainOptions, output: Output): Promise<number> {
  const project = await openProject(o.root ?? findRoot(process.cwd()));
  const tokens = await loadTokenCounter();
  if (paths.length === 0) return explainProject(project, o, tokens, output);
  const touched = o.root === undefined ? paths.map((path) => resolve(path)) : paths;
  const looked = await lookAtPaths(project.source, touched, paths);
  const misuses = looked.flatMap((path) => misuseOf(path, project));
  // Where nothing can be touched, people get the misuse alone; programs always get the fields.
  if (o.json === true || misuses.length < looked.length) {
    const explanation = await project.resolver.explain(touched);
    const elsewhere = await elsewhereWithProgress(project, explanation, output);
    const explained: Explained = { paths: looked, explanation, elsewhere };
    if (o.json === true) output.json(JSON.stringify(explanationJson(explained, tokens, o.content === true), null, 2));
    else output.text(await explanationText(explained, project, tokens, o.content === true, output));
  }
  for (const misuse of misuses) output.err(`${misuse}\n`);
  return misuses.length === 0 ? 0 : 2;
}

function misuseOf({ path, kind }: TouchedPath, project: Project): readonly string[] {
  if (kind === 'outside') return [`${path} lies outside the project ${project.root}; name another with --root`];
  if (kind === 'folder') return [`${path} is a folder; name a file in it`];
  return [];
}

async function elsewhereWithProgress(
  project: Project,
  explanation: Explanation,
  output: Output,
): Promise<readonly ElsewhereModule[]> {
  const progress = output.progress('Looking at the project:');
  try {
    return await modulesElsewhere(project, explanation, (files) => progress.update(count(files, 'file')));
  } finally {
    progress.done();
  }
}

/** The JSON that programs read; its fields are stable. */
function explanationJson(
  { paths, explanation, elsewhere }: Explained,
  tokens: TokenCounter,
  withContent: boolean,
): object {
  return {
    paths: paths.map(({ path, kind }) => ({ path, kind })),
    startup: explanation.startup.map((module) => moduleJson(module, tokens, withContent)),
    delivered: explanation.delivered.map(({ module, matched }) => ({
      ...moduleJson(module, tokens, withContent),
      matched: matched.map(({ path, glob }) => ({ path, glob: glob ?? null })),
    })),
    notApplied: [
      ...explanation.notApplied.map(({ relPath, reason, globs }) => ({ relPath, reason, globs })),
      ...elsewhere.map(({ relPath }) => ({ relPath, reason: 'other_folder', globs: [] })),
    ],
    diagnostics: inOrder(explanation.diagnostics),
  };
}
