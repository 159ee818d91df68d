import type { Position, Range } from '@codicil/diagnostics';

/** UTF-16 units of a word that are looked at: a block may be one long line of thousands of them. */
const MAX_WORD = 1_024;

/** The text between the fences, with a way from its offsets to places in the source file. */
export class Block {
  readonly text: string;
  readonly path: string;
  #lineStarts: readonly number[] | undefined;

  constructor(text: string, path: string) {
    this.text = text;
    this.path = path;
  }

  /** The place in the source of UTF-16 offsets of the block. An empty range is widened by one column, so that it can be seen. */
  range(start: number, end: number): Range {
    const from = this.#position(start);
    const to = end > start ? this.#position(end) : { line: from.line, column: from.column + 1 };
    return { start: from, end: to };
  }

  #position(offset: number): Position {
    this.#lineStarts ??= findLineStarts(this.text);
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    // The opening fence is line 1 of the file, so the block begins on line 2.
    return { line: low + 2, column: offset - (this.#lineStarts[low] ?? 0) + 1 };
  }

  /** The word at an offset, up to a blank or a closing bracket; of a very long one the beginning. */
  wordAt(offset: number): string {
    return /^[^\],}\s]*/.exec(this.text.slice(offset, offset + MAX_WORD))?.[0] ?? '';
  }

  /** What stands from an offset to the end of its line, without blanks at the end. */
  restOfLine(offset: number): string {
    const end = this.text.indexOf('\n', offset);
    return this.text.slice(offset, end === -1 ? undefined : end).trimEnd();
  }
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const found of text.matchAll(/\r\n|\n|\r/g)) starts.push(found.index + found[0].length);
  return starts;
}
