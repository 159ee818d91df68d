import { showHidden } from '@codicil/diagnostics';
import type { ModuleReach, ProjectScan } from '@codicil/project-scan';
import { scanProject } from '@codicil/project-scan';
import { otherFiles } from '../explain/other-files.ts';
import type { Project } from '../project.ts';
import { contentLines, diagnosticsText, type ExplainOptions, moduleJson, reasonText } from '../view/modules.ts';
import { noModulesText } from '../view/no-modules.ts';
import type { Output } from '../view/output.ts';
import { colors } from '../view/styles.ts';
import type { TokenCounter } from '../view/tokens.ts';
import { count, table } from '../view/words.ts';

/** `codicil explain` without a path: every module, and how much of the project it is about. */
export async function explainProject(
  project: Project,
  o: ExplainOptions,
  tokens: TokenCounter,
  output: Output,
): Promise<number> {
  const scan = await scanWithProgress(project, output);
  if (o.json === true)
    output.json(
      JSON.stringify(
        {
          ...projectJson(scan, tokens, o.content === true),
          otherFiles: scan.modules.length === 0 ? await otherFiles(project.source) : [],
        },
        null,
        2,
      ),
    );
  else output.text(await projectText(scan, project, tokens, o.content === true, output));
  return 0;
}

export async function scanWithProgress(project: Project, output: Output): Promise<ProjectScan> {
  const progress = output.progress('Looking at the project:');
  try {
    return await scanProject({ ...project, onProgress: (files) => progress.update(count(files, 'file')) });
  } finally {
    progress.done();
  }
}

function projectJson(scan: ProjectScan, tokens: TokenCounter, withContent: boolean): object {
  const startup = scan.modules.filter((reach) => reach.loads === 'startup');
  return {
    startup: startup.flatMap(({ module }) => (module === undefined ? [] : [moduleJson(module, tokens, withContent)])),
    delivered: [],
    notApplied: scan.notApplied,
    diagnostics: scan.diagnostics,
    project: {
      files: scan.files,
      ...totals(scan, tokens),
      modules: scan.modules.map((reach) => ({
        relPath: reach.relPath,
        origin: reach.origin,
        loads: reach.loads,
        bytes: reach.module === undefined ? null : Buffer.byteLength(reach.module.content),
        tokens: reach.module === undefined ? null : tokens(reach.module.content),
        files: reach.files,
        globs: reach.globs,
      })),
    },
  };
}

function totals(
  scan: ProjectScan,
  tokens: TokenCounter,
): { readonly startupTokens: number; readonly maxTokens: number } {
  const sum = (modules: readonly ModuleReach[]): number =>
    modules.reduce((total, { module }) => total + (module === undefined ? 0 : tokens(module.content)), 0);
  return { startupTokens: sum(scan.modules.filter(({ loads }) => loads === 'startup')), maxTokens: sum(scan.modules) };
}

async function projectText(
  scan: ProjectScan,
  project: Project,
  tokens: TokenCounter,
  withContent: boolean,
  output: Output,
): Promise<string> {
  const c = colors(output.color);
  const rows = scan.modules.flatMap((reach) => [
    [
      reach.relPath,
      reach.loads,
      reach.module === undefined ? '-' : String(Buffer.byteLength(reach.module.content)),
      reach.module === undefined ? '-' : String(tokens(reach.module.content)),
      String(reach.files),
    ],
    ...reach.globs.map(({ glob, files }) => [`  ${glob}`, files === 0 ? 'no match' : '', '', '', String(files)]),
  ]);
  const { startupTokens, maxTokens } = totals(scan, tokens);
  const lines = [
    c.bold(`${count(scan.modules.length, 'module')} over ${count(scan.files, 'file')}`),
    '',
    scan.modules.length === 0
      ? await noModulesText(project)
      : table(['module', 'loads', 'bytes', 'tokens', 'files'], rows, ['left', 'left', 'right', 'right', 'right']),
    '',
    `About ${count(startupTokens, 'token')} at startup, at most ${count(maxTokens, 'token')} when every module is in (an estimate).`,
  ];
  for (const { module } of withContent ? scan.modules : []) {
    if (module !== undefined) lines.push('', c.bold(showHidden(module.relPath)), ...contentLines(module, c));
  }
  const rest = scan.notApplied.filter(({ reason }) => reason !== 'no_glob_matches');
  if (rest.length > 0) lines.push('', c.bold('Not used'));
  for (const found of rest) lines.push(`  ${showHidden(found.relPath)}  ${c.dim(showHidden(reasonText(found)))}`);
  if (scan.diagnostics.length > 0) lines.push('', await diagnosticsText(scan.diagnostics, project, output));
  return `${lines.join('\n')}\n`;
}
