// Packs every package and proves each tarball alone: it installs into an empty project, imports, type-checks and runs its README example,
// there and bundled into one file, and needs nothing that it does not declare. Then a version and a dry publish of one package without the others.
// usage: node tooling/release/check.mjs [--package NAME]
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { consumer, tarballOf } from './consumer.mjs';
import { checkBundle, checkExample, checkTypes } from './example.mjs';
import { checkMaps } from './maps.mjs';
import { publishedPackages, root } from './packages.mjs';
import { bin, must, pnpm, run } from './process.mjs';
import { readmeExample, readmeInstalls } from './readme.mjs';
import { checkVersioning } from './versioning.mjs';

const { values } = parseArgs({ options: { package: { type: 'string' } } });
const home = mkdtempSync(join(tmpdir(), 'codicil-release-'));
const tarballs = join(home, 'tarballs');
mkdirSync(tarballs);

/**
 * @param {import('./packages.mjs').Published} published
 * @param {readonly import('./packages.mjs').Published[]} all
 * @returns {Promise<string>} what was shown, for the report
 */
async function checkPackage({ folder, manifest }, all) {
  const readme = join(folder, 'README.md');
  const installs = manifest.bin === undefined ? readmeInstalls(readme) : [manifest.name];
  const project = await consumer({ home, tarballs, name: manifest.name, installs }, all);
  checkMaps(project, manifest.name);

  if (manifest.bin !== undefined) {
    const shown = await run(join(project, 'node_modules', '.bin', 'codicil'), ['--version'], project);
    if (shown.stdout.trim() !== manifest.version)
      throw new Error(`the installed command does not run\n${shown.output}`);
    return 'installs alone, and its command runs';
  }
  const subpaths = Object.keys(manifest.exports ?? {}).filter((subpath) => subpath !== './package.json');
  const entries = subpaths.map((subpath) => manifest.name + subpath.slice(1));
  writeFileSync(join(project, 'import.mjs'), entries.map((entry) => `await import('${entry}');`).join('\n'));
  await must('cannot be imported', run(process.execPath, ['import.mjs'], project));

  const example = readmeExample(readme);
  await checkTypes(project, entries, example.code);
  await checkExample(project, example);
  const bundled = await checkBundle(project, manifest.name, example);

  const tarball = tarballOf(tarballs, manifest);
  await must('are-the-types-wrong', run(bin('attw'), [tarball, '--profile', 'esm-only', '--no-emoji'], root));
  await must('publint', run(bin('publint'), ['run', tarball, '--strict'], root));
  return `installs alone, imports, its example and its types hold, ${bundled}`;
}

const all = publishedPackages();
const chosen = all.filter(({ manifest }) => values.package === undefined || manifest.name.endsWith(values.package));
/** @type {string[]} */
const red = [];
/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));
try {
  const everything = ['-r', '--filter', './packages/*', '--filter', './apps/*', 'exec'];
  await must('packing', pnpm([...everything, 'pnpm', 'pack', '--pack-destination', tarballs], root));
  if (readdirSync(tarballs).length < all.length) throw new Error('a package was not packed');
  const waiting = [...chosen];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        process.stdout.write(`release ${next.manifest.name}: ${await checkPackage(next, all)}\n`);
      } catch (error) {
        red.push(next.manifest.name);
        process.stdout.write(`release ${next.manifest.name}: RED: ${messageOf(error)}\n`);
      }
    }
  };
  await Promise.all([worker(), worker()]);
  if (values.package === undefined) await checkVersioning(home);
} catch (error) {
  red.push('workspace');
  process.stdout.write(`release: RED: ${messageOf(error)}\n`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.stdout.write(
  red.length === 0 ? `release checks: ${chosen.length} packages hold\n` : `release checks: red: ${red.join(', ')}\n`,
);
process.exitCode = red.length === 0 ? 0 : 1;
