import { resolve } from 'node:path';
import { showHidden } from '@codicil/diagnostics';
import type { Explanation, InstructionModule } from '@codicil/instruction-modules';
import { inOrder } from '@codicil/project-scan';
import { findRoot, openProject, type Project } from '../project.ts';
import { diagnosticsText, type ExplainOptions, moduleJson, reasonText } from '../view/modules.ts';
import type { Output } from '../view/output.ts';
import { colors } from '../view/styles.ts';
import { loadTokenCounter, type TokenCounter } from '../view/tokens.ts';
import { count } from '../view/words.ts';
import { explainProject } from './explain-project.ts';

/** `codicil explain [PATH…]`. */
export async function explain(paths: readonly string[], o: ExplainOptions, output: Output): Promise<number> {
  const project = await openProject(o.root ?? findRoot(process.cwd()));
  const tokens = await loadTokenCounter();
  if (paths.length === 0) return explainProject(project, o, tokens, output);
  const touched = o.root === undefined ? paths.map((path) => resolve(path)) : paths;
  const explanation = await project.resolver.explain(touched);
  if (o.json === true) output.json(JSON.stringify(explanationJson(explanation, tokens, o.content === true), null, 2));
  else output.text(await explanationText(explanation, paths, project, tokens, output));
  return 0;
}

/** The JSON that programs read; its fields are stable. */
export function explanationJson(explanation: Explanation, tokens: TokenCounter, withContent: boolean): object {
  return {
    startup: explanation.startup.map((module) => moduleJson(module, tokens, withContent)),
    delivered: explanation.delivered.map(({ module, matched }) => ({
      ...moduleJson(module, tokens, withContent),
      matched: matched.map(({ path, glob }) => ({ path, glob: glob ?? null })),
    })),
    notApplied: explanation.notApplied.map(({ relPath, reason, globs }) => ({ relPath, reason, globs })),
    diagnostics: inOrder(explanation.diagnostics),
  };
}

async function explanationText(
  explanation: Explanation,
  paths: readonly string[],
  project: Project,
  tokens: TokenCounter,
  output: Output,
): Promise<string> {
  const c = colors(output.color);
  const lines: string[] = [c.bold('At the start of every session')];
  if (explanation.startup.length === 0) lines.push('  nothing: no root file, and no rule without `paths`');
  for (const module of explanation.startup) lines.push(`  ${moduleLine(module, tokens)}`);
  lines.push('', c.bold(`When the agent touches ${paths.map(showHidden).join(', ')}`));
  if (explanation.delivered.length === 0) lines.push('  nothing more');
  for (const [index, { module, matched }] of explanation.delivered.entries()) {
    lines.push(`  ${index + 1}. ${moduleLine(module, tokens)}`);
    for (const { path, glob } of matched) {
      const why = glob === undefined ? 'lies in or below its folder' : `matches ${glob}`;
      lines.push(c.dim(`     ${showHidden(path)} ${showHidden(why)}`));
    }
  }
  if (explanation.notApplied.length > 0) lines.push('', c.bold('Not delivered'));
  for (const found of explanation.notApplied)
    lines.push(`  ${showHidden(found.relPath)}  ${c.dim(showHidden(reasonText(found)))}`);
  const diagnostics = inOrder(explanation.diagnostics);
  if (diagnostics.length > 0) lines.push('', await diagnosticsText(diagnostics, project, output));
  return `${lines.join('\n')}\n`;
}

function moduleLine(module: InstructionModule, tokens: TokenCounter): string {
  return `${showHidden(module.relPath)}  ${count(Buffer.byteLength(module.content), 'byte')}, about ${count(tokens(module.content), 'token')}`;
}
