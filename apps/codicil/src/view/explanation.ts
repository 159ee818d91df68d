import { type Diagnostic, showHidden } from '@codicil/diagnostics';
import type { InstructionModule, NotApplied } from '@codicil/instruction-modules';
import { inOrder } from '@codicil/project-scan';
import type { Explained } from '../explain/explained.ts';
import type { TouchedPath } from '../explain/touched-path.ts';
import type { Project } from '../project.ts';
import { contentLines, diagnosticsText, reasonText } from './modules.ts';
import { noModulesText } from './no-modules.ts';
import type { Output } from './output.ts';
import { type Colors, colors } from './styles.ts';
import type { TokenCounter } from './tokens.ts';
import { count } from './words.ts';

/** What `explain` says of paths, for people. */
export async function explanationText(
  explained: Explained,
  project: Project,
  tokens: TokenCounter,
  withContent: boolean,
  output: Output,
): Promise<string> {
  const { paths, explanation } = explained;
  const c = colors(output.color);
  const content = (module: InstructionModule): readonly string[] => (withContent ? contentLines(module, c) : []);
  const lines: string[] = [c.bold('At the start of every session')];
  if (explanation.startup.length === 0) lines.push('  nothing: no root file, and no rule without `paths`');
  for (const module of explanation.startup) lines.push(`  ${moduleLine(module, tokens)}`, ...content(module));

  const touchable = paths.filter(({ kind }) => kind !== 'outside' && kind !== 'folder');
  lines.push('', c.bold(`When the agent touches ${touchable.map(({ path }) => showHidden(path)).join(', ')}`));
  for (const path of touchable) lines.push(...pathNotes(path, c));
  if (explanation.delivered.length === 0) lines.push('  nothing more');
  for (const [index, { module, matched }] of explanation.delivered.entries()) {
    lines.push(`  ${index + 1}. ${moduleLine(module, tokens)}`);
    for (const { path, glob } of matched) {
      const why = glob === undefined ? 'lies in or below its folder' : `matches ${glob}`;
      lines.push(c.dim(`     ${showHidden(path)} ${showHidden(why)}`));
    }
    lines.push(...content(module));
  }

  const isEmpty = explanation.startup.length + explanation.delivered.length + explained.elsewhere.length === 0;
  if (isEmpty && explanation.notApplied.length === 0) lines.push('', await noModulesText(project));

  const { told, aside } = sortDiagnostics(explained);
  lines.push(...notDelivered(explained, aside, c));
  if (told.length > 0) lines.push('', await diagnosticsText(told, project, output));
  return `${lines.join('\n')}\n`;
}

function pathNotes({ path, kind }: TouchedPath, c: Colors): readonly string[] {
  switch (kind) {
    case 'missing':
      return [c.yellow(`  ${showHidden(path)} is not there; this is what would apply to it`)];
    case 'special':
      return [c.yellow(`  ${showHidden(path)} is a pipe, a socket or a device`)];
    case 'unknown':
      return [c.yellow(`  ${showHidden(path)} could not be looked at, see below`)];
    case 'file':
    case 'folder':
    case 'outside':
      return [];
  }
}

/** Told are those of files that the paths are about. Those of rules that do not match stand aside, by the rule. */
function sortDiagnostics({ explanation }: Explained): {
  readonly told: readonly Diagnostic[];
  readonly aside: ReadonlyMap<string, readonly Diagnostic[]>;
} {
  const idle = new Set<string>(
    explanation.notApplied.filter(({ reason }) => reason === 'no_glob_matches').map(({ relPath }) => relPath),
  );
  const told: Diagnostic[] = [];
  const aside = new Map<string, Diagnostic[]>();
  for (const found of inOrder(explanation.diagnostics)) {
    if (!idle.has(found.path)) told.push(found);
    else aside.set(found.path, [...(aside.get(found.path) ?? []), found]);
  }
  return { told, aside };
}

function notDelivered(
  { explanation, elsewhere }: Explained,
  aside: ReadonlyMap<string, readonly Diagnostic[]>,
  c: Colors,
): readonly string[] {
  const lines = explanation.notApplied.map(
    (found) =>
      `  ${showHidden(found.relPath)}  ${c.dim(showHidden(reasonWith(found, aside.get(found.relPath) ?? [])))}`,
  );
  for (const { relPath, folder } of elsewhere) {
    lines.push(`  ${showHidden(relPath)}  ${c.dim(showHidden(`applies in and below ${folder}/`))}`);
  }
  return lines.length === 0 ? [] : ['', c.bold('Not delivered'), ...lines];
}

/** A rule that does not match may be one that was meant to: what is wrong with it is named, and `check` shows it. */
function reasonWith(found: NotApplied, diagnostics: readonly Diagnostic[]): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))];
  return codes.length === 0 ? reasonText(found) : `${reasonText(found)}; \`codicil check\` shows ${codes.join(', ')}`;
}

function moduleLine(module: InstructionModule, tokens: TokenCounter): string {
  return `${showHidden(module.relPath)}  ${count(Buffer.byteLength(module.content), 'byte')}, about ${count(tokens(module.content), 'token')}`;
}
