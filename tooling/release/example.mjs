import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transformSync } from 'esbuild';
import { root } from './packages.mjs';
import { bin, must, run } from './process.mjs';

/** What cannot be one file without a `node_modules` beside it, and why not. */
const UNBUNDLED = new Map([['@codicil/journal-sqlite', 'its driver is a native addon']]);

/** A project that is as strict as TypeScript knows to be, and checks the declarations that it installed as well. */
const STRICT = {
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
};

/**
 * Type-checks an example and every entry of its package in a strict project.
 * @param {string} project
 * @param {readonly string[]} entries as they are imported
 * @param {string} code
 */
export async function checkTypes(project, entries, code) {
  const imports = entries.map(
    (entry, index) => `import * as m${index} from '${entry}';\nexport type T${index} = typeof m${index};`,
  );
  writeFileSync(join(project, 'types.ts'), imports.join('\n'));
  writeFileSync(join(project, 'example.ts'), code);
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: STRICT, files: ['types.ts', 'example.ts'] }),
  );
  await must('its types or those of its README example do not hold', run(bin('tsc'), ['-p', '.'], project));
}

/**
 * Runs an example where its packages are installed.
 * @param {string} project
 * @param {{ readonly code: string, readonly output: string }} example
 */
export async function checkExample(project, { code, output }) {
  writeFileSync(
    join(project, 'example.mjs'),
    transformSync(code, { loader: 'ts', format: 'esm', target: 'node20' }).code,
  );
  await mustPrint('the README example', output, project, 'example.mjs');
}

/**
 * Bundles an example with everything that it imports into one file, and runs that in a folder with nothing else.
 * @param {string} project
 * @param {string} name of the package
 * @param {{ readonly output: string }} example
 * @returns {Promise<string>} what was shown, for the report
 */
export async function checkBundle(project, name, { output }) {
  const reason = UNBUNDLED.get(name);
  if (reason !== undefined) return `is not bundled (${reason})`;
  const alone = `${project}-alone`;
  mkdirSync(alone);
  await build({
    entryPoints: [join(project, 'example.ts')],
    outfile: join(project, 'bundle', 'example.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  });
  renameSync(join(project, 'bundle', 'example.mjs'), join(alone, 'example.mjs'));
  await mustPrint('the README example in one file', output, alone, 'example.mjs');
  return 'runs as one file';
}

/**
 * @param {string} what
 * @param {string} output
 * @param {string} folder
 * @param {string} file
 */
async function mustPrint(what, output, folder, file) {
  const shown = await run(process.execPath, [file], folder);
  if (shown.status !== 0 || shown.stdout !== output) throw new Error(`${what} prints something else:\n${shown.output}`);
}
