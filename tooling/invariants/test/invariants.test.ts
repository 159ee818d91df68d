import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Mutant } from '../../mutants/plugin.ts';
import { INVARIANTS } from '../invariants.ts';

const folders = [
  ...readdirSync('packages').map((name) => join('packages', name)),
  ...readdirSync('apps').map((name) => join('apps', name)),
];

function testFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
}

/** The numbers at the heads of the titles of property tests. */
function numbersIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/\btest(?:\.prop\([^\n]*\))?\(\s*['"`]([A-Z]\d+) /g)].map((found) => found[1] ?? '');
}

const tested = new Set(folders.flatMap((folder) => testFiles(join(folder, 'test'))).flatMap(numbersIn));

test('every invariant has a property test that bears its number', () => {
  expect(INVARIANTS.filter((number) => !tested.has(number))).toEqual([]);
});

test('every number at the head of a test is an invariant', () => {
  expect([...tested].filter((number) => !INVARIANTS.includes(number))).toEqual([]);
});

test('every invariant is told in the architecture page', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  expect(INVARIANTS.filter((number) => !page.includes(`| ${number} |`))).toEqual([]);
});

test('every invariant has at least three deliberate faults', () => {
  const mutants: readonly Mutant[] = folders.flatMap((folder) => {
    const file = join(folder, 'test', 'mutants.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  });
  const few = INVARIANTS.filter((number) => mutants.filter(({ invariant }) => invariant === number).length < 3);
  expect(few).toEqual([]);
});

test('the text that a deliberate fault replaces stands exactly once in its file', () => {
  const astray: string[] = [];
  for (const folder of folders) {
    const list = join(folder, 'test', 'mutants.json');
    if (!existsSync(list)) continue;
    const mutants: readonly Mutant[] = JSON.parse(readFileSync(list, 'utf8'));
    for (const { file, find, fault } of mutants) {
      if (readFileSync(join(folder, file), 'utf8').split(find).length !== 2) astray.push(`${folder}: ${fault}`);
    }
  }
  expect(astray).toEqual([]);
});
