// Everything that must hold before a change is merged, in one command: set-up, build, lint, types, layers, dead code, tests, release checks.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runStep, setUp } from './steps.mjs';

const report = join(root, 'out', 'tests.json');
rmSync(report, { force: true });

/** @param {string} text */
const tell = (text) => process.stdout.write(text);
/**
 * @param {string} name
 * @param {string} command that the project has installed
 * @param {readonly string[]} args
 * @returns {import('./steps.mjs').Step}
 */
const installed = (name, command, args) => ({ name, command: join(root, 'node_modules', '.bin', command), args });

const vitest = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
const steps = [
  installed('format and lint', 'biome', ['check', '.']),
  installed('dead code', 'knip', ['--no-progress']),
  installed('layers', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'packages', 'apps', 'tooling']),
  installed('types', 'tsc', ['-p', 'tsconfig.json', '--noEmit']),
  installed('tests', 'vitest', vitest),
  { name: 'release checks', command: process.execPath, args: ['tooling/release/check.mjs'] },
];

const isSetUp = setUp(tell) === 0;
const red = isSetUp ? steps.filter((step) => runStep(step, tell) !== 0).map(({ name }) => name) : ['set-up'];

let passed = 0;
let failed = 0;
try {
  const tests = JSON.parse(readFileSync(report, 'utf8'));
  passed = tests.numPassedTests;
  failed = tests.numTotalTests - tests.numPassedTests;
} catch (error) {
  tell(`no report of the tests: ${error instanceof Error ? error.message : error}\n`);
}
if (red.length > 0) tell(`\nred: ${red.join(', ')}\n`);
tell(`\n${passed} passed, ${Math.max(failed, red.length)} failed\n`);
process.exitCode = red.length === 0 && failed === 0 ? 0 : 1;
