import type { Diagnostic } from './diagnostic.ts';
import { showHidden } from './visible.ts';

/**
 * Workflow commands that make GitHub Actions annotate the files, one a line, each line ended. Line breaks inside a name or a message are
 * encoded, so none of them can begin a command of its own; other hidden characters are shown as escapes.
 */
export function renderGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((found) => `${commandOf(found)}\n`).join('');
}

function commandOf(found: Diagnostic): string {
  const text = found.hint === undefined ? found.message : `${found.message}\n${found.hint}`;
  const properties = propertiesOf(found).map(([name, value]) => `${name}=${encodeProperty(String(value))}`);
  return `::${found.severity} ${properties.join(',')}::${encodeText(text)}`;
}

function propertiesOf({ path, range, code }: Diagnostic): readonly (readonly [string, string | number])[] {
  const file = path === '' ? [] : [['file', path] as const];
  const title = ['title', code] as const;
  if (range === undefined) return [...file, title];
  const { start, end } = range;
  // A range that ends before the first character of a line does not reach that line.
  const endLine = end.line > start.line && end.column === 1 ? end.line - 1 : end.line;
  const place = [['line', start.line] as const, ['col', start.column] as const, ['endLine', endLine] as const];
  // An end column counts only within one line, and names the last character.
  const until = end.line === start.line ? [['endColumn', Math.max(start.column, end.column - 1)] as const] : [];
  return [...file, ...place, ...until, title];
}

function encodeText(text: string): string {
  return text
    .split(/(\r\n|\r|\n)/)
    .map((part, index) => (index % 2 === 1 ? part : showHidden(part)))
    .join('')
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function encodeProperty(text: string): string {
  return encodeText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
