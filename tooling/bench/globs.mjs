import { createSelector, parseGlob } from '@codicil/glob-select';
import picomatch from 'picomatch';
import { interleaved, median, random, ratio, timesOf } from './measure.mjs';
import { foldersOf, globOf } from './trees.mjs';

/** @typedef {import('./report.mjs').Context & { readonly many: readonly string[], readonly folders: readonly string[] }} Subject */

/**
 * Globs as long as they may be, on paths as long as systems allow.
 * @type {Readonly<Record<string, readonly [string, string]>>}
 */
const HOSTILE = {
  'many stars, one long name': [`${'*a'.repeat(126)}b*`, 'a'.repeat(4_096)],
  'many globstars, a deep path': [`${'**/a/'.repeat(51)}b`, `${'a/'.repeat(2_047)}a`],
  'globstars alone, a deep path': [`${'**/'.repeat(85)}b`, `${'a/'.repeat(2_047)}a`],
  'stars in globstars': [`${'**/*a*/'.repeat(36)}b`, `${'aa/'.repeat(1_364)}c`],
  'stars and question marks': [`${'*?a'.repeat(85)}b`, 'a'.repeat(4_096)],
};

/** @param {readonly string[]} globs */
function selectorOf(globs) {
  const selector = createSelector(
    globs.map((glob, id) => ({ id, globs: [parsed(glob)] })),
    { ignoreCase: false },
  );
  // What is compiled late is compiled now.
  selector.match('x');
  return selector;
}

/** @param {string} text */
function parsed(text) {
  const outcome = parseGlob(text);
  if (outcome.kind === 'invalid') throw new Error(`${text} is no glob`);
  return outcome.glob;
}

/**
 * G6–G8.
 * @param {import('./report.mjs').Context} context
 */
export async function globs(context) {
  const next = random(5);
  const folders = foldersOf(next, 400);
  const many = Array.from({ length: context.isSmoke ? 500 : 10_000 }, () => globOf(next, folders));
  const subject = { ...context, many, folders };
  if (context.report.wants('G6')) await matching(subject);
  if (context.report.wants('G7')) await hostile(subject);
  if (context.report.wants('G8')) await compiling(subject);
}

/** @param {Subject} subject */
async function matching({ many, folders, rounds, report, isSmoke }) {
  const few = many.slice(0, many.length / 10);
  const [large, small] = [selectorOf(many), selectorOf(few)];
  const matchers = many.map((glob) => picomatch(glob, { dot: true }));
  const paths = Array.from({ length: 200 }, (_, index) => `${folders[index]}/f${index}.ts`);
  const passes = isSmoke ? 1 : 50;
  const all = (/** @type {ReturnType<typeof selectorOf>} */ selector) => () => {
    for (let pass = 0; pass < passes; pass++) for (const path of paths) selector.match(path);
  };
  const [ours, tenth, peer] = [`${many.length} globs`, `${few.length} globs`, 'picomatch, a matcher a glob, 1 path'];
  const times = await interleaved(
    {
      [ours]: all(large),
      [tenth]: all(small),
      [peer]: () => {
        for (const matches of matchers) matches(`${folders[77]}/f77.ts`);
      },
    },
    { rounds },
  );
  const matched = passes * paths.length;
  report.table(`match of ${matched} paths`, times, ours);
  report.goal('G6', `one path against ${many.length} globs (µs)`, (median(timesOf(times, ours)) / matched) * 1_000, 25);
  report.goal('G6', `the same ÷ picomatch, a matcher a glob`, ratio(times, ours, peer) / matched, 1 / 100);
  report.goal('G6', 'growth from a tenth of the globs', ratio(times, ours, tenth), 4);
}

/** @param {Subject} subject */
async function hostile({ many, rounds, report }) {
  const infixes = selectorOf(Array.from({ length: many.length }, (_, index) => `**/*i${index}*`));
  const [stars, name] = [`${'*a'.repeat(8)}b`, 'a'.repeat(28)];
  const expensive = picomatch(stars);
  const wide = `${many.length} distinct **/*i*`;
  const cases = Object.fromEntries(
    Object.entries(HOSTILE).map(([what, [glob, path]]) => {
      const selector = selectorOf([glob]);
      return [what, () => selector.match(path)];
    }),
  );
  const times = await interleaved(
    {
      ...cases,
      [wide]: () => infixes.match('src/some/file-i77-name.ts'),
      'picomatch: 8 stars, 28 letters': () => expensive(name),
    },
    { rounds },
  );
  report.table('hostile globs, one path each', times, wide);
  for (const what of Object.keys(HOSTILE)) report.goal('G7', `hostile: ${what} (ms)`, median(timesOf(times, what)), 10);
  report.goal('G7', `${wide} × one path (ms)`, median(timesOf(times, wide)), 10);
}

/** @param {Subject} subject */
async function compiling({ many, rounds, report }) {
  const times = await interleaved(
    {
      selector: () => selectorOf(many),
      'picomatch, a matcher a glob': () => many.map((glob) => picomatch(glob, { dot: true })),
    },
    { rounds },
  );
  report.table(`compile of ${many.length} globs`, times, 'selector');
  report.goal('G8', `compile of ${many.length} globs (ms)`, median(times.selector), 25);
}
