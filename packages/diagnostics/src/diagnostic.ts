import { DIAGNOSTIC_CODES, type DiagnosticCode, type Severity } from './codes.ts';

/** A place in a text: line and column count from 1, columns in UTF-16 code units, as editors and SARIF do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** From the first character up to, and not including, the one at `end`. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** What is wrong with a user's file, as data: programs read `code`, `path`, `range` and `facts`, people the rest. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** Project-relative, in `/` form; `''` is the root folder. */
  readonly path: string;
  /** A clause in lower case, without a full stop, that names the thing and what happened. */
  readonly message: string;
  /** What to write or do instead: an imperative sentence with its full stop. */
  readonly hint?: string | undefined;
  readonly range?: Range | undefined;
  /** The figures and names behind the message, by name. */
  readonly facts?: Facts | undefined;
}

export type Facts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What a reporter of a diagnostic says; the severity follows from the code. */
export type DiagnosticDetails = Omit<Diagnostic, 'code' | 'severity'>;

export function diagnostic(code: DiagnosticCode, details: DiagnosticDetails): Diagnostic {
  return { code, severity: DIAGNOSTIC_CODES[code].severity, ...details };
}

/** The position of a UTF-16 offset in a text; `\n`, `\r\n` and a lone `\r` end a line. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let index = 0; index < offset; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 10 || (unit === 13 && text.charCodeAt(index + 1) !== 10)) {
      line++;
      start = index + 1;
    }
  }
  return { line, column: offset - start + 1 };
}
