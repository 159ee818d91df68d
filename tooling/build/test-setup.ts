import fc from 'fast-check';
import { afterEach, beforeEach, expect, vi } from 'vitest';

/**
 * One place sets the seed and the number of runs of every property, so that a failure is replayed by one line, which it prints.
 */
const seed = Number(process.env['CODICIL_SEED'] ?? 20_261_201);
const numRuns = Number(process.env['CODICIL_RUNS'] ?? 100);

/** What fast-check says of a failure (seed, path, for commands the replay path), and the line that runs it again. */
function failure<T>(details: fc.RunDetails<T>): Error {
  const name = (expect.getState().currentTestName ?? '').replaceAll("'", '.');
  const line = `CODICIL_SEED=${details.seed} CODICIL_RUNS=${numRuns} npm run test:unit -- -t '${name}'`;
  return new Error(`${fc.defaultReportMessage(details)}\n\nReplay: ${line}`, { cause: details.errorInstance });
}

fc.configureGlobal({
  seed,
  numRuns,
  verbose: 1,
  reporter: (details) => {
    if (details.failed) throw failure(details);
  },
});

const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;

beforeEach(() => {
  for (const method of methods) {
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => {
      throw new Error(`a word on the console: ${words.join(' ')}`);
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});
