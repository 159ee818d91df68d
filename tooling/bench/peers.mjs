// Loaders of other programs beside ours. They are large, and nothing else needs them, so they are installed on demand, each into a folder of its own.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../out/peers', import.meta.url));

/**
 * What is installed for each, the one that is imported first. The newest that run on Node 20.
 * @type {Readonly<Record<string, readonly [string, ...string[]]>>}
 */
const PEERS = {
  pi: ['@mariozechner/pi-coding-agent@0.73.1'],
  gemini: ['@google/gemini-cli-core@0.61.0'],
  dsh: ['@deepseek-ai/dsh-agent-instructions@0.1.0-rc.8', '@deepseek-ai/dsh-fs-local'],
  cline: ['@cline/core@0.0.86'],
};

/**
 * Installs a peer where it is not; none of its scripts is run. Answers the module that gives all it exports, or why there is none.
 * @param {string} name
 * @param {readonly [string, ...string[]]} packages
 * @returns {{ readonly loader: string, readonly why?: undefined } | { readonly loader?: undefined, readonly why: string | undefined }}
 */
function install(name, packages) {
  const home = join(folder, name);
  const loader = join(home, 'loader.mjs');
  if (fs.existsSync(loader)) return { loader };
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  const { status, stderr } = spawnSync('npm', args, { cwd: home, encoding: 'utf8' });
  if (status !== 0) return { why: stderr.trim().split('\n').at(-1) };
  fs.writeFileSync(loader, `export * from '${packages[0].replace(/@[^@]+$/, '')}';\n`);
  return { loader };
}

/**
 * G18 and G1 of the peers, in a process of its own: they write to the console and leave timers behind.
 * @param {import('./report.mjs').Context} context
 */
export async function peers({ home, rounds, report }) {
  /** @type {Record<string, string>} */
  const loaders = {};
  for (const [name, packages] of Object.entries(PEERS)) {
    const { loader, why } = install(name, packages);
    if (loader === undefined) report.note(`${packages[0]} could not be installed: ${why}`);
    else loaders[name] = loader;
  }
  const results = join(folder, 'results.json');
  fs.rmSync(results, { force: true });
  const program = fileURLToPath(new URL('peer-loaders.mjs', import.meta.url));
  const question = JSON.stringify({ home, rounds, loaders, results });
  const { stderr } = spawnSync(process.execPath, ['--expose-gc', program, question], {
    encoding: 'utf8',
    env: { ...process.env, HOME: join(folder, 'home'), GEMINI_CLI_HOME: join(folder, 'home') },
  });
  if (!fs.existsSync(results)) throw new Error(`the peers could not be measured: ${stderr}`);
  const { tables, failures } = JSON.parse(fs.readFileSync(results, 'utf8'));
  for (const { title, times, base } of tables) report.table(title, times, base);
  for (const failure of failures) report.note(failure);
}
