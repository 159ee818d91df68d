import { type Diagnostic, renderText, showHiddenLines } from '@codicil/diagnostics';
import type { InstructionModule, NotApplied } from '@codicil/instruction-modules';
import type { Project } from '../project.ts';
import { readSources } from '../sources.ts';
import type { Output } from './output.ts';
import type { Colors } from './styles.ts';
import type { TokenCounter } from './tokens.ts';

export interface ExplainOptions {
  readonly root?: string | undefined;
  readonly json?: boolean | undefined;
  readonly content?: boolean | undefined;
}

export interface ModuleJson {
  readonly relPath: string;
  readonly origin: InstructionModule['origin'];
  readonly sha256: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly content?: string;
}

export function moduleJson(module: InstructionModule, tokens: TokenCounter, withContent: boolean): ModuleJson {
  return {
    relPath: module.relPath,
    origin: module.origin,
    sha256: module.sha256,
    bytes: Buffer.byteLength(module.content),
    tokens: tokens(module.content),
    ...(withContent ? { content: module.content } : {}),
  };
}

/** The whole text of a module, each line behind a bar, so that none is taken for a line of the command's own. */
export function contentLines({ content }: InstructionModule, c: Colors): readonly string[] {
  const lines = showHiddenLines(content).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `     ${c.dim('|')}${line === '' ? '' : ` ${line}`}`);
}

export function reasonText({ reason, globs }: NotApplied): string {
  switch (reason) {
    case 'no_glob_matches':
      return `no glob matches: ${globs.join(', ')}`;
    case 'refused':
      return 'refused, see below';
    case 'unavailable':
      return 'could not be read, see below';
    case 'shadowed':
      return 'a better name in the same folder decides';
    case 'dependency_folder':
      return 'lies in a folder of dependencies';
    case 'nested_repository':
      return 'lies in another repository';
  }
}

export async function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  project: Project,
  output: Output,
): Promise<string> {
  const sources = await readSources(project.source, diagnostics);
  return renderText(diagnostics, { source: (path) => sources.get(path), color: output.color });
}
