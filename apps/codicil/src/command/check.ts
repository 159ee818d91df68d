import { type DiagnosticCode, renderGithub, renderJson, renderSarif } from '@codicil/diagnostics';
import { findRoot, openProject } from '../project.ts';
import { version } from '../version.ts';
import { diagnosticsText } from '../view/modules.ts';
import { noModulesText } from '../view/no-modules.ts';
import type { Output } from '../view/output.ts';
import { colors } from '../view/styles.ts';
import { count } from '../view/words.ts';
import { scanWithProgress } from './explain-project.ts';

export interface CheckOptions {
  readonly root?: string | undefined;
  readonly format: 'text' | 'json' | 'sarif' | 'github';
}

/** Warnings, as everywhere: the module loads, and its glob silently matches nothing. Whoever runs a check wants it to fail. */
const FAILING: ReadonlySet<DiagnosticCode> = new Set(['glob_braces', 'glob_negation']);

/** `codicil check`: 0 when all is well or only warned about, 1 when there is an error or a glob that cannot be meant as it stands. */
export async function check(o: CheckOptions, output: Output): Promise<number> {
  const project = await openProject(o.root ?? findRoot(process.cwd()));
  const scan = await scanWithProgress(project, output);
  const { diagnostics } = scan;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const failing = diagnostics.filter(({ severity, code }) => severity === 'warning' && FAILING.has(code)).length;
  const fails = errors + failing > 0;
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
      if (scan.modules.length === 0) output.text(`${await noModulesText(project)}\n\n`);
      const c = colors(output.color);
      const why = failing === 0 ? '' : ` (${failing} of them ${failing === 1 ? 'fails' : 'fail'} the check)`;
      const result = `${count(scan.modules.length, 'module')}, ${count(errors, 'error')}, ${count(diagnostics.length - errors, 'warning')}${why}`;
      output.text(`${fails ? c.red(result) : c.green(result)}\n`);
    }
  }
  return fails ? 1 : 0;
}
