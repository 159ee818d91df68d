import { showHidden } from '@codicil/diagnostics';

type Alignment = 'left' | 'right';

/** A table with aligned columns. Cells hold text from untrusted files: control characters are made visible. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly Alignment[],
): string {
  const lines = [head, ...rows].map((row) => row.map(showHidden));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          align[column] === 'right' ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
