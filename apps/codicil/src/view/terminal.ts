import pc from 'picocolors';

/** What a command may write to: replaced as a whole in tests. */
export interface Terminal {
  readonly color: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Shows work that lasts over a second: a line that changes on a terminal, one line elsewhere. */
  progress(label: string): { update(detail: string): void; done(): void };
}

/** Milliseconds. */
const PROGRESS_AFTER = 1_000;
const PROGRESS_EVERY = 200;

export function processTerminal(): Terminal {
  const isTerminal = process.stderr.isTTY === true;
  return {
    color: process.stdout.isTTY === true && pc.isColorSupported && process.env['NO_COLOR'] === undefined,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    progress(label) {
      const start = performance.now();
      let shownAt: number | undefined;
      return {
        update(detail) {
          const now = performance.now();
          if (now - start < PROGRESS_AFTER) return;
          if (isTerminal && now - (shownAt ?? 0) >= PROGRESS_EVERY) {
            process.stderr.write(`\r\u001b[K${label} ${detail}`);
            shownAt = now;
          } else if (!isTerminal && shownAt === undefined) {
            process.stderr.write(`${label} this takes a while\n`);
            shownAt = now;
          }
        },
        done() {
          if (isTerminal && shownAt !== undefined) process.stderr.write('\r\u001b[K');
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
