import type { Diagnostic } from './diagnostic.ts';
import { showHiddenJson } from './visible.ts';

/** For programs: a list of diagnostics with their fields in one order, indented, without a line break at the end. */
export function renderJson(diagnostics: readonly Diagnostic[]): string {
  const rows = diagnostics.map(({ code, severity, path, message, hint, range, facts }) => ({
    code,
    severity,
    path,
    message,
    hint,
    range,
    facts,
  }));
  return showHiddenJson(JSON.stringify(rows, null, 2));
}
