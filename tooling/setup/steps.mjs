import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const { packageManager } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', CI: process.env.CI ?? '1' };

/** Runs a command in the project's root; its exit code. What it prints goes to the terminal, or to `stderr` alone. */
export function run(command, args, { output = 'inherit', env = {} } = {}) {
  const stdout = output === 'stderr' ? 2 : output;
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env: { ...environment, ...env },
    stdio: ['ignore', stdout, output === 'pipe' ? 'pipe' : 'inherit'],
  });
  if (error) throw error;
  return status ?? 1;
}

/** The pinned package manager, fetched by npm where it is not there yet. */
export function pnpm(args, options) {
  return run('npx', ['--yes', packageManager, ...args], options);
}

/** Installs what the lockfile names and builds every package: all that a fresh clone needs. */
export function setUp(options) {
  return (
    pnpm(['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'], options) ||
    pnpm(['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'], options)
  );
}
