import { DIAGNOSTIC_CODES } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import { showHiddenJson } from './visible.ts';

export interface SarifOptions {
  /** The version of the program that found the diagnostics. */
  readonly toolVersion: string;
}

/**
 * A SARIF 2.1.0 log of one run, without a line break at the end: every code is a rule, every diagnostic a result. Paths are relative to
 * `%SRCROOT%`, percent-encoded; columns count UTF-16 code units.
 */
export function renderSarif(diagnostics: readonly Diagnostic[], o: SarifOptions): string {
  const codes = Object.keys(DIAGNOSTIC_CODES);
  const rules = Object.entries(DIAGNOSTIC_CODES).map(([id, { severity, summary }]) => ({
    id,
    shortDescription: { text: summary },
    defaultConfiguration: { level: severity },
  }));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'codicil', version: o.toolVersion, rules } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((found) => resultOf(found, codes.indexOf(found.code))),
      },
    ],
  };
  return showHiddenJson(JSON.stringify(log, null, 2));
}

function resultOf({ code, severity, path, message, hint, range, facts }: Diagnostic, ruleIndex: number): object {
  const region = range && {
    startLine: range.start.line,
    startColumn: range.start.column,
    endLine: range.end.line,
    endColumn: range.end.column,
  };
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: hint === undefined ? message : `${message}. ${hint}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(path), uriBaseId: '%SRCROOT%' }, region } }],
    properties: facts && { facts },
  };
}

/** A relative reference: `:` in a first segment would make it a scheme, so it is encoded as well. */
function uriOf(path: string): string {
  if (path === '') return './';
  // A name that is no Unicode text has no URI; the replacement character at least shows where.
  return path
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
