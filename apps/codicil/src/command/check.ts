import { type Diagnostic, type DiagnosticCode, renderGithub, renderJson, renderSarif } from '@codicil/diagnostics';
import { findRoot, openProject } from '../project.ts';
import { version } from '../version.ts';
import { diagnosticsText } from '../view/modules.ts';
import type { Output } from '../view/output.ts';
import { colors } from '../view/styles.ts';
import { count } from '../view/words.ts';
import { scanWithProgress } from './explain-project.ts';

export interface CheckOptions {
  readonly root?: string | undefined;
  readonly format: 'text' | 'json' | 'sarif' | 'github';
}

/** Warnings elsewhere: the module loads, and the glob silently matches nothing. Whoever runs a check wants to know. */
const COUNTED_AS_ERRORS: ReadonlySet<DiagnosticCode> = new Set(['glob_braces', 'glob_negation']);

/** `codicil check`: 0 when there is no error, 1 when there is one. */
export async function check(o: CheckOptions, output: Output): Promise<number> {
  const project = await openProject(o.root ?? findRoot(process.cwd()));
  const scan = await scanWithProgress(project, output);
  const diagnostics = scan.diagnostics.map(
    (found): Diagnostic => (COUNTED_AS_ERRORS.has(found.code) ? { ...found, severity: 'error' } : found),
  );
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  switch (o.format) {
    case 'json':
      output.json(renderJson(diagnostics));
      break;
    case 'sarif':
      output.json(renderSarif(diagnostics, { toolVersion: version }));
      break;
    case 'github':
      output.text(renderGithub(diagnostics));
      break;
    case 'text': {
      if (diagnostics.length > 0) output.text(`${await diagnosticsText(diagnostics, project, output)}\n\n`);
      const c = colors(output.color);
      const result = `${count(scan.modules.length, 'module')}, ${count(errors, 'error')}, ${count(diagnostics.length - errors, 'warning')}`;
      output.text(`${errors > 0 ? c.red(result) : c.green(result)}\n`);
    }
  }
  return errors > 0 ? 1 : 0;
}
