import fc from 'fast-check';
import { afterEach, beforeEach, vi } from 'vitest';

/**
 * One place sets the seed and the number of runs of every property, so that a failure is replayed by one line:
 * `CODICIL_SEED=<seed> npm run test:unit -- -t '<name of the test>'`.
 */
const seed = Number(process.env['CODICIL_SEED'] ?? 20_261_201);
const numRuns = Number(process.env['CODICIL_RUNS'] ?? 100);

fc.configureGlobal({ seed, numRuns, verbose: 1 });

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
