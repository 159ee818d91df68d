import pc from 'picocolors';

/** What a command may write to: replaced as a whole in tests. */
export interface Terminal {
  readonly color: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Shows work that lasts over a second, on a terminal alone. Call the answer when it is done. */
  progress(label: string): { update(detail: string): void; done(): void };
}

export function processTerminal(): Terminal {
  const isTerminal = process.stderr.isTTY === true;
  return {
    color: process.stdout.isTTY === true && pc.isColorSupported && process.env['NO_COLOR'] === undefined,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    progress(label) {
      const start = performance.now();
      let shown = 0;
      return {
        update(detail) {
          const now = performance.now();
          if (now - start < 1000 || now - shown < 200) return;
          shown = now;
          process.stderr.write(
            isTerminal ? `\r\u001b[K${label} ${detail}` : shown === now && now - start < 1400 ? `${label}\n` : '',
          );
        },
        done() {
          if (isTerminal && shown > 0) process.stderr.write('\r\u001b[K');
        },
      };
    },
  };
}

type Alignment = 'left' | 'right';

/** A table with aligned columns. Cells hold text from untrusted files: control characters are made visible. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly Alignment[],
): string {
  const lines = [head, ...rows].map((row) => row.map(visible));
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

/** The text with every control and direction-changing character written as an escape. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
