import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { median } from './measure.mjs';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));
const require = createRequire(import.meta.url);
const EMPTY = 'data:text/javascript,';
/** Loaded late by some packages: what they would cost at once. */
const LIBRARIES = ['yaml', 'better-sqlite3'];
/** @type {Readonly<Record<string, string>>} */
const DRIVERS = { 'journal-sqlite': 'better-sqlite3' };

/**
 * Milliseconds from the start to the end of a process that imports one module.
 * @param {string} url
 */
function timeOf(url) {
  const code = `await import(${JSON.stringify(url)})`;
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${url} cannot be imported: ${stderr}`);
  return performance.now() - start;
}

/**
 * What one import takes longer than another: the two are a pair of processes, one right after the other, and each is as often the first.
 * @param {string} url
 * @param {string} base
 * @param {number} round
 */
function pairOf(url, base, round) {
  if (round % 2 === 0) return timeOf(url) - timeOf(base);
  const before = timeOf(base);
  return timeOf(url) - before;
}

/**
 * G16.
 * @param {import('./report.mjs').Context} context
 */
export function imports({ rounds, report, isSmoke }) {
  const names = readdirSync(packages).slice(0, isSmoke ? 2 : undefined);
  const urls = Object.fromEntries([
    ...names.map((name) => [name, pathToFileURL(join(packages, name, 'dist', 'index.js')).href]),
    ...LIBRARIES.map((name) => [name, pathToFileURL(require.resolve(name)).href]),
  ]);
  const pairs = [
    ...Object.keys(urls).map((name) => ({ name, base: 'an empty process', target: 10 })),
    ...Object.entries(DRIVERS).map(([name, base]) => ({ name, base, target: 5 })),
  ].flatMap((pair) => {
    const url = urls[pair.name];
    return url === undefined ? [] : [{ ...pair, url, added: /** @type {number[]} */ ([]) }];
  });
  /** @type {number[]} */
  const empty = [];
  for (let round = -1; round < (isSmoke ? rounds : Math.max(15, rounds)); round++) {
    const alone = timeOf(EMPTY);
    for (const { url, base, added } of pairs) {
      const time = pairOf(url, urls[base] ?? EMPTY, round);
      // The first round only brings the files into memory.
      if (round >= 0) added.push(time);
    }
    if (round >= 0) empty.push(alone);
  }
  report.note(`cold import, a process each; one that imports nothing takes ${median(empty).toFixed(0)} ms`);
  for (const { name, base, target, added } of pairs) {
    const figure = median(added);
    if (LIBRARIES.includes(name))
      report.note(`${name} would add ${figure.toFixed(1)} ms; no package loads it before its first need`);
    else report.goal('G16', `import of ${name} − ${base} (ms)`, figure, target);
  }
}
