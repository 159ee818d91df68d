import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {(text: string) => unknown} Tell where a person reads
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command
 * @property {readonly string[]} args
 */

export const root = fileURLToPath(new URL('../..', import.meta.url));

const { packageManager } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', CI: process.env.CI ?? '1' };
const logs = join(root, 'out', 'logs');
const TAIL_LINES = 80;

/**
 * Runs a command in the project's root and answers its exit code. `stdio` is as in `node:child_process`.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').StdioOptions} stdio
 */
function start(command, args, stdio) {
  // What npm installs as a command is a script of the shell on Windows.
  const shell = process.platform === 'win32' && command !== process.execPath;
  const { status, error } = spawnSync(command, args, { cwd: root, env: environment, stdio, shell });
  if (error) throw error;
  return status ?? 1;
}

/**
 * Runs a command in the project's root, in the terminal; its exit code.
 * @param {string} command
 * @param {readonly string[]} args
 */
export const run = (command, args) => start(command, args, ['ignore', 'inherit', 'inherit']);

/**
 * Runs a step and tells it in one line, with its time; its exit code. Whatever it prints goes to `out/logs`, and only the end of that is shown,
 * when it failed.
 * @param {Step} step
 * @param {Tell} tell
 */
export function runStep({ name, command, args }, tell) {
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `${name.replaceAll(' ', '-')}.log`);
  tell(`${name} … `);
  const begun = performance.now();
  const file = openSync(log, 'w');
  let status = 1;
  try {
    status = start(command, args, ['ignore', file, file]);
  } finally {
    closeSync(file);
  }
  const time = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  if (status === 0) tell(`${time}\n`);
  else tell(`RED, ${time}\n${endOf(log)}\nall of it: ${relative(root, log)}\n`);
  return status;
}

/** @param {string} log */
function endOf(log) {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}

/**
 * The pinned package manager, fetched by npm where it is not there yet.
 * @param {string} name
 * @param {readonly string[]} args
 * @returns {Step}
 */
const pnpm = (name, args) => ({ name, command: 'npx', args: ['--yes', packageManager, ...args] });

/**
 * Installs what the lockfile names and builds every package: all that a fresh clone needs. The exit code of the step that failed, or 0.
 * @param {Tell} tell
 */
export function setUp(tell) {
  const install = ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'];
  const build = ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'];
  return runStep(pnpm('install', install), tell) || runStep(pnpm('build', build), tell);
}
