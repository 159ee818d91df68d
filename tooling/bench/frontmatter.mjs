import { readPlainFrontmatter } from '@codicil/frontmatter';
import { parse } from 'yaml';
import { interleaved, random, ratio } from './measure.mjs';
import { globOf } from './trees.mjs';

const FOLDERS = ['src/api', 'tests/api', 'packages/web/ui'];

/** @type {import('@codicil/frontmatter').FrontmatterOptions<{ readonly paths: readonly string[] }>} */
const options = {
  path: 'rule.md',
  knownKeys: ['paths'],
  schema: () => {
    throw new Error('the plain shape needs no schema');
  },
  acceptPlainList: (_, items) => ({ paths: items }),
};

/**
 * G9. The parser gets the block alone; ours gets the file, and finds, checks and reads the block in it.
 * @param {import('./report.mjs').Context} context
 */
export async function frontmatter({ rounds, report, isSmoke }) {
  const next = random(5);
  const blocks = Array.from({ length: isSmoke ? 50 : 2_000 }, () => {
    const globs = Array.from({ length: 1 + Math.floor(next() * 3) }, () => `  - "${globOf(next, FOLDERS)}"\n`);
    return `paths:\n${globs.join('')}`;
  });
  const files = blocks.map((block) => Buffer.from(`---\n${block}---\n# Rule\n\n- Be kind.\n`));
  const times = await interleaved(
    {
      'yaml.parse': () => {
        for (const block of blocks) parse(block);
      },
      readPlainFrontmatter: () => {
        for (const file of files) readPlainFrontmatter(file, options);
      },
    },
    { rounds },
  );
  report.table(`frontmatter of ${blocks.length} files`, times, 'yaml.parse');
  report.goal(
    'G9',
    'frontmatter of the plain shape ÷ yaml.parse',
    ratio(times, 'readPlainFrontmatter', 'yaml.parse'),
    1 / 20,
  );
}
