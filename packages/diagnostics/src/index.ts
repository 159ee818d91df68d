export { boundDiagnostics } from './bound.ts';
export { DIAGNOSTIC_CODES, type DiagnosticCode, type Severity } from './codes.ts';
export {
  type Diagnostic,
  type DiagnosticDetails,
  diagnostic,
  type Facts,
  type Position,
  positionAt,
  type Range,
} from './diagnostic.ts';
export { renderGithub } from './github.ts';
export { renderJson } from './json.ts';
export { renderSarif, type SarifOptions } from './sarif.ts';
export { renderText, type TextOptions } from './text.ts';
export { showHidden, showHiddenJson, showHiddenLines } from './visible.ts';
