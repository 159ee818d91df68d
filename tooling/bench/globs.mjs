import { createSelector } from '@codicil/glob-select';
import picomatch from 'picomatch';
import { interleaved, median, random, ratio } from './measure.mjs';
import { foldersOf, globOf } from './trees.mjs';

function selectorOf(globs) {
  return createSelector(
    globs.map((glob, id) => ({ id, globs: [glob] })),
    { ignoreCase: false },
  );
}

/** Enough that the machine has settled. */
const PASSES = 10;

/** G6–G8. */
export async function globs({ rounds, report, isSmoke }) {
  const next = random(5);
  const folders = foldersOf(next, 400);
  const many = Array.from({ length: isSmoke ? 500 : 10_000 }, () => globOf(next, folders));
  const few = many.slice(0, many.length / 10);
  const paths = Array.from({ length: 200 }, (_, index) => `${folders[index]}/f${index}.ts`);
  const [large, small] = [selectorOf(many), selectorOf(few)];
  const matchers = many.map((glob) => picomatch(glob, { dot: true }));
  large.match('x');
  small.match('x');
  const times = await interleaved(
    {
      large: () => {
        for (let pass = 0; pass < PASSES; pass++) for (const path of paths) large.match(path);
      },
      small: () => {
        for (let pass = 0; pass < PASSES; pass++) for (const path of paths) small.match(path);
      },
      picomatch: () => {
        for (const path of paths.slice(0, 10)) for (const matches of matchers) matches(path);
      },
    },
    { rounds },
  );
  report('G6', `one path against ${many.length} globs (µs)`, (median(times.large) / paths.length / PASSES) * 1_000, 25);
  report(
    'G6',
    'the same ÷ picomatch a pattern',
    ratio(times, 'large', 'picomatch') / ((paths.length * PASSES) / 10),
    1 / 100,
  );
  report('G6', 'growth from a tenth of the globs', ratio(times, 'large', 'small'), 4);

  const hostile = {
    'many stars, one long name': [`${'*a'.repeat(127)}b`, 'a'.repeat(4_096)],
    'many globstars, a deep path': [`${'**/a/'.repeat(51)}b`, `${'a/'.repeat(2_047)}a`],
    'stars in globstars': [`${'**/*a*/'.repeat(36)}b`, `${'aa/'.repeat(1_364)}c`],
  };
  const worst = await interleaved(
    Object.fromEntries(
      Object.entries(hostile).map(([name, [glob, path]]) => {
        const selector = selectorOf([glob]);
        return [name, () => selector.match(path)];
      }),
    ),
    { rounds },
  );
  for (const [name, all] of Object.entries(worst)) report('G7', `hostile: ${name} (ms)`, median(all), 10);
  const infixes = selectorOf(Array.from({ length: many.length }, (_, index) => `**/*i${index}*`));
  infixes.match('x');
  const infix = await interleaved({ infix: () => infixes.match('src/some/file-i77-name.ts') }, { rounds });
  report('G7', `${many.length} distinct **/*i* × one path (ms)`, median(infix.infix), 10);

  const compile = await interleaved({ compile: () => selectorOf(many).match('x') }, { rounds });
  report('G8', `compile ${many.length} globs (ms)`, median(compile.compile), 25);
}
