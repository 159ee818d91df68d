import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

function bench(...args: string[]) {
  const program = ['--expose-gc', 'tooling/bench/run.mjs', '--smoke', ...args];
  return spawnSync(process.execPath, program, { encoding: 'utf8' });
}

test('each goal that is asked for has a row with its figure and its target, and no other goal has one', () => {
  const goals = ['G6', 'G7', 'G8', 'G9', 'G17'];
  const { status, stdout, stderr } = bench('--only', goals.join());
  expect([status, stderr]).toEqual([0, '']);
  const rows = stdout.matchAll(/^(G\d+) +(?:held|MISSED) +\S+ +\(≤ \S+\) +\S/gm);
  expect([...new Set([...rows].map(([, goal]) => goal))].sort()).toEqual([...goals].sort());
});

test('what cannot be measured is named, and the exit code is 1', () => {
  const unknownGoal = bench('--only', 'G99');
  expect([unknownGoal.status, unknownGoal.stdout]).toEqual([1, expect.stringContaining('not measured: G99')]);
  const noRounds = spawnSync(process.execPath, ['tooling/bench/run.mjs', '--only', 'G9', '--rounds', 'many'], {
    encoding: 'utf8',
  });
  expect([noRounds.status, noRounds.stdout]).toEqual([1, expect.stringContaining('not measured: G9')]);
});
