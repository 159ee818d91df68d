import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the suite prints a row for each goal that it is asked for', () => {
  const goals = ['G1', 'G2', 'G3', 'G5', 'G6', 'G7', 'G8', 'G9', 'G15', 'G16', 'G17', 'G18'];
  const args = ['--expose-gc', 'tooling/bench/run.mjs', '--smoke', '--only', goals.join()];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  for (const goal of goals) expect(stdout).toMatch(new RegExp(`^${goal} +(held|MISSED) `, 'm'));
});
