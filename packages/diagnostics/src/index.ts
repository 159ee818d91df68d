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
