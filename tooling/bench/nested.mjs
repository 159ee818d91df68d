import { join } from 'node:path';
import { createHostSource } from '@codicil/file-source-host';
import { createInstructionResolver } from '@codicil/instruction-modules';
import { nestedLimit } from './limits.mjs';
import { interleaved, ratio, repeated } from './measure.mjs';
import { layFiles } from './trees.mjs';

const FOLDER = 'packages/app/src/server/api/users';
/** @param {string} title */
const text = (title) => `# ${title}\n\n${'- Be kind to the one who reads this next.\n'.repeat(40)}`;

/**
 * A project of six nested folders with two instruction files, and nothing else.
 * @param {string} home
 */
export async function layNested(home) {
  const root = join(home, 'nested-files');
  await layFiles(
    root,
    new Map([
      ['.git/HEAD', 'ref: refs/heads/main\n'],
      ['AGENTS.md', text('Root')],
      ['packages/app/AGENTS.md', text('App')],
      [`${FOLDER}/AGENTS.md`, text('Users')],
      [`${FOLDER}/a.ts`, ''],
    ]),
  );
  return { root, folder: FOLDER, touched: `${FOLDER}/a.ts` };
}

/**
 * G18.
 * @param {import('./report.mjs').Context} context
 */
export async function nested({ home, rounds, report }) {
  const { root, folder, touched } = await layNested(home);
  const resolver = createInstructionResolver(await createHostSource(root));
  const times = await interleaved(
    {
      raw: repeated(50, () => nestedLimit(root, folder)),
      'touch of a file': repeated(50, () => resolver.forPaths([touched])),
    },
    { rounds: 3 * rounds },
  );
  report.table('nested lookup of one touched file, fifty times: six folders, two files', times, 'raw');
  report.goal(
    'G18',
    'nested lookup of one touched file ÷ five lstat a folder, read, hash',
    ratio(times, 'touch of a file', 'raw'),
    1.2,
  );
}
