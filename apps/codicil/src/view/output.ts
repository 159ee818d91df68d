import { showHiddenJson, showHiddenLines } from '@codicil/diagnostics';
import type { Terminal } from './terminal.ts';

/**
 * The one way out for whatever a command says. Names, texts and arguments come from strangers: no control, direction change or invisible character
 * of theirs reaches a terminal or a pipe as it is.
 */
export interface Output {
  readonly color: boolean;
  /** For people: hidden characters are shown as escapes; line breaks, tabs and the colours of {@link colors} stay. */
  text(text: string): void;
  /** For programs: JSON that says the same with every hidden character as a JSON escape, and a line break. */
  json(json: string): void;
  /** As {@link text}, on the error stream, without colours. */
  err(text: string): void;
  progress: Terminal['progress'];
}

/** What {@link colors} and the diagnostics write: bold, faint, red, green, yellow, and their ends. No other sequence passes. */
const COLOR = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

export function outputTo(terminal: Terminal): Output {
  return {
    color: terminal.color,
    text: (text) => terminal.out(terminal.color ? coloredLines(text) : showHiddenLines(text)),
    json: (json) => terminal.out(`${showHiddenJson(json)}\n`),
    err: (text) => terminal.err(showHiddenLines(text)),
    progress: (label) => terminal.progress(label),
  };
}

function coloredLines(text: string): string {
  return text
    .split(COLOR)
    .map((part, index) => (index % 2 === 1 ? part : showHiddenLines(part)))
    .join('');
}
