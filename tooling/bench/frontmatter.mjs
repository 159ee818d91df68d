import { parseFrontmatter } from '@codicil/frontmatter';
import { parse } from 'yaml';
import { interleaved, ratio } from './measure.mjs';

/** G9. */
export async function frontmatter({ rounds, report }) {
  const block = 'paths:\n  - "src/api/**/*.ts"\n  - "tests/api/**/*.ts"\n';
  const bytes = Buffer.from(`---\n${block}---\n# Rules\n`);
  const options = {
    path: 'a.md',
    knownKeys: ['paths'],
    schema: () => {
      throw new Error('the plain shape needs no schema');
    },
    acceptPlainList: (_, items) => ({ paths: items }),
  };
  const repeat = (act) => () => {
    for (let round = 0; round < 500; round++) act();
  };
  const times = await interleaved(
    { yaml: repeat(() => parse(block)), ours: repeat(() => parseFrontmatter(bytes, options)) },
    { rounds },
  );
  report('G9', 'frontmatter of the plain shape ÷ yaml.parse', ratio(times, 'ours', 'yaml'), 1 / 20);
}
