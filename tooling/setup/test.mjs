// Everything that must hold before a change is merged, in one command: set-up, build, lint, types, layers, dead code, tests, release checks.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, setUp } from './steps.mjs';

const report = join(root, 'out', 'tests.json');
rmSync(report, { force: true });

const bin = (name) => join(root, 'node_modules', '.bin', name);
const steps = [
  ['set-up and build', () => setUp()],
  ['format and lint', () => run(bin('biome'), ['check', '.'])],
  ['dead code', () => run(bin('knip'), ['--no-progress'])],
  ['layers', () => run(bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'packages', 'apps', 'tooling'])],
  ['types', () => run(bin('tsc'), ['-p', 'tsconfig.json', '--noEmit'])],
  ['tests', () => run(bin('vitest'), ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`])],
  ['release checks', () => run(process.execPath, ['tooling/release/check.mjs'])],
];

const red = [];
for (const [name, step] of steps) {
  process.stdout.write(`\n== ${name}\n`);
  const start = performance.now();
  const status = step();
  process.stdout.write(
    `== ${name}: ${status === 0 ? 'green' : 'RED'}, ${((performance.now() - start) / 1000).toFixed(1)} s\n`,
  );
  if (status !== 0) red.push(name);
  if (status !== 0 && name === 'set-up and build') break;
}

let passed = 0;
let failed = 0;
try {
  const tests = JSON.parse(readFileSync(report, 'utf8'));
  passed = tests.numPassedTests;
  failed = tests.numTotalTests - tests.numPassedTests;
} catch (error) {
  process.stdout.write(`no report of the tests: ${error.message}\n`);
}
if (red.length > 0) process.stdout.write(`\nred: ${red.join(', ')}\n`);
process.stdout.write(`\n${passed} passed, ${Math.max(failed, red.length)} failed\n`);
process.exitCode = red.length === 0 && failed === 0 ? 0 : 1;
