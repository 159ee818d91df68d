import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { runStep } from '../steps.mjs';

let told = '';
const tell = (text: string) => {
  told += text;
};
const node = (name: string, code: string) => ({ name, command: process.execPath, args: ['-e', code] });
const logOf = (name: string) => readFileSync(`out/logs/${name}.log`, 'utf8');
beforeEach(() => {
  told = '';
});

const WARNINGS = "for (let line = 1; line <= 300; line++) console.error('warning ' + line);";

test('a step that is well is one line, however much it prints', () => {
  expect(runStep(node('noisy step', WARNINGS), tell)).toBe(0);
  expect(told).toMatch(/^noisy step … \d+\.\d s\n$/);
  expect(logOf('noisy-step').split('\n')).toHaveLength(301);
});

test('of a step that failed the end is shown, and where all of it is', () => {
  expect(runStep(node('failing step', `${WARNINGS} process.exitCode = 3;`), tell)).toBe(3);
  const lines = told.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^failing step … RED, \d+\.\d s$/);
  expect(lines.slice(1, -1)).toEqual(Array.from({ length: 80 }, (_, index) => `warning ${index + 221}`));
  expect(lines.at(-1)).toMatch(/^all of it: out.logs.failing-step\.log$/);
});

test('both streams are kept, in the order in which they came', () => {
  runStep(node('two streams', `console.log('one'); console.error('two'); console.log('three');`), tell);
  expect(logOf('two-streams')).toBe('one\ntwo\nthree\n');
});
