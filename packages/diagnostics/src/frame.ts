import type { Range } from './diagnostic.ts';
import { type Cell, cellsOf, TAB_ESCAPE } from './visible.ts';

/** Columns of a source line that are shown, and how many of them stand before the range when the line is longer. */
const MAX_WIDTH = 100;
const WIDTH_BEFORE = 30;
const TAB = 4;

/** A line of source and the carets under the range, aligned on a terminal. */
export interface Frame {
  readonly line: string;
  readonly carets: string;
}

/** The lines of a text, by the rule of `positionAt`. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/**
 * The first line of the range, with carets under what of the range lies in it, at least one. Hidden characters are shown as escapes, tabs as
 * blanks; of a long line the part around the beginning of the range is shown.
 */
export function frameOf(line: string, range: Range): Frame {
  const start = Math.min(range.start.column - 1, line.length);
  const end = range.end.line > range.start.line ? line.length : Math.min(range.end.column - 1, line.length);
  const { cells, isCutBefore, isCutAfter } = windowOf(line, start);
  let shown = isCutBefore ? '…' : '';
  let carets = isCutBefore ? ' ' : '';
  let marked = 0;
  for (const cell of cells) {
    shown += cell.text;
    const isMarked = cell.end > start && (cell.start < end || (marked === 0 && cell.start <= start));
    if (isMarked) marked += cell.width;
    if (isMarked || marked === 0) carets += (isMarked ? '^' : ' ').repeat(cell.width);
  }
  return { line: isCutAfter ? `${shown}…` : shown, carets: marked === 0 ? `${carets}^` : carets };
}

function windowOf(line: string, start: number): { cells: readonly Cell[]; isCutBefore: boolean; isCutAfter: boolean } {
  // A line may be as long as a file: no more of it is looked at than could be shown, whatever its characters are.
  const from = onBoundary(line, Math.max(0, start - MAX_WIDTH * 4));
  const to = onBoundary(line, Math.min(line.length, start + MAX_WIDTH * 4));
  const cells = withBlanks(cellsOf(line.slice(from, to)), from);
  const width = cells.reduce((sum, cell) => sum + cell.width, 0);
  if (width <= MAX_WIDTH && from === 0 && to === line.length) return { cells, isCutBefore: false, isCutAfter: false };

  const found = cells.findIndex((cell) => cell.end > start);
  const at = found === -1 ? cells.length : found;
  let first = at;
  for (let left = WIDTH_BEFORE; first > 0; first--) {
    left -= cells[first - 1]?.width ?? 0;
    if (left < 0) break;
  }
  let last = first;
  for (let left = MAX_WIDTH; last < cells.length; last++) {
    left -= cells[last]?.width ?? 0;
    if (left < 0 && last > at) break;
  }
  return {
    cells: cells.slice(first, last),
    isCutBefore: first > 0 || from > 0,
    isCutAfter: last < cells.length || to < line.length,
  };
}

/** Tabs as blanks up to the next stop, and offsets in the whole line. */
function withBlanks(cells: readonly Cell[], from: number): readonly Cell[] {
  let column = 0;
  return cells.map((cell) => {
    const width = cell.text === TAB_ESCAPE ? TAB - (column % TAB) : cell.width;
    const text = cell.text === TAB_ESCAPE ? ' '.repeat(width) : cell.text;
    column += width;
    return { start: cell.start + from, end: cell.end + from, text, width };
  });
}

function onBoundary(line: string, offset: number): number {
  const isInPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(line.slice(Math.max(0, offset - 1), offset + 1));
  return isInPair && offset > 0 ? offset - 1 : offset;
}
