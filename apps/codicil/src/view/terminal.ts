import pc from 'picocolors';

/** Where the command's words end up: written as they are. Commands write to an {@link Output}, which makes them harmless first. Replaced as a whole in tests. */
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
