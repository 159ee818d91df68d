import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';

/** @typedef {{ readonly status: number, readonly stdout: string, readonly output: string }} Ended */

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Runs a command to its end; a command that cannot be started ends with status 1.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<Ended>} `output` holds both streams as they came
 */
export function run(command, args, cwd) {
  return new Promise((resolve) => {
    // What npm installs as a command is a script of the shell on Windows.
    const shell = process.platform === 'win32' && command !== process.execPath;
    const child = spawn(command, args, { cwd, shell, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined } });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => resolve({ status: 1, stdout, output: String(error) }));
    child.on('close', (status) => resolve({ status: status ?? 1, stdout, output }));
  });
}

/**
 * The pinned package manager.
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export const pnpm = (args, cwd) => run('npx', ['--yes', packageManager, ...args], cwd);

/** @param {string} name of a command that the workspace has installed */
export const bin = (name) => join(root, 'node_modules', '.bin', name);

/**
 * Throws what the command said at its end, unless it ended well.
 * @param {string} what it would mean that it failed
 * @param {Promise<Ended>} ended
 */
export async function must(what, ended) {
  const { status, output } = await ended;
  if (status !== 0) throw new Error(`${what}\n${output.trim().split('\n').slice(-30).join('\n')}`);
}
