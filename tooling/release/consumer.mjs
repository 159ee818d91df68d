import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';
import { must, pnpm } from './process.mjs';

/** @typedef {import('./packages.mjs').Published} Published */

const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
const allowBuilds = workspace.slice(workspace.indexOf('allowBuilds:'));

/**
 * The tarball that a manifest's name and version give.
 * @param {string} tarballs
 * @param {{ readonly name: string, readonly version: string }} manifest
 */
export const tarballOf = (tarballs, { name, version }) =>
  join(tarballs, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);

/**
 * An empty project that has installed packages of this workspace from their tarballs, and other ones in the version that the workspace uses.
 * @param {{ readonly home: string, readonly tarballs: string, readonly name: string, readonly installs: readonly string[] }} o
 * @param {readonly Published[]} all
 * @returns {Promise<string>} its folder
 */
export async function consumer({ home, tarballs, name, installs }, all) {
  const project = join(home, name.replace('/', '-'));
  mkdirSync(project);
  const files = new Map(all.map(({ manifest }) => [manifest.name, `file:${tarballOf(tarballs, manifest)}`]));
  const dependencies = Object.fromEntries(
    installs.map((install) => [install, files.get(install) ?? fromCatalog(install)]),
  );
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module', dependencies }),
  );
  const overrides = [...files].map(([other, file]) => `  '${other}': '${file}'`).join('\n');
  writeFileSync(join(project, 'pnpm-workspace.yaml'), `packages: []\noverrides:\n${overrides}\n${allowBuilds}`);
  await must(
    'does not install alone',
    pnpm(['install', '--prefer-offline', '--no-frozen-lockfile', '--reporter=silent'], project),
  );
  return project;
}

/** @param {string} name */
function fromCatalog(name) {
  const version = new RegExp(`^ {2}'?${name}'?: (\\S+)$`, 'm').exec(workspace)?.[1];
  if (version === undefined)
    throw new Error(`the README installs ${name}, which neither this project makes nor its catalog names`);
  return version;
}
