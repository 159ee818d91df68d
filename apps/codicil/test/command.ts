import { spawnSync } from 'node:child_process';

const main = new URL('../dist/main.js', import.meta.url).pathname;

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command, as a user would. */
export function codicil(args: readonly string[], o: { readonly cwd?: string } = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...(o.cwd === undefined ? {} : { cwd: o.cwd }),
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}
