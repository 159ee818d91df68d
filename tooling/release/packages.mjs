import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{
 *   readonly name: string,
 *   readonly version: string,
 *   readonly private?: boolean,
 *   readonly bin?: Readonly<Record<string, string>>,
 *   readonly exports?: Readonly<Record<string, unknown>>,
 * }} Manifest
 * @typedef {{ readonly folder: string, readonly manifest: Manifest }} Published
 */

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Everything that is published: its folder and its manifest.
 * @returns {readonly Published[]}
 */
export function publishedPackages() {
  const folders = [
    ...readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name)),
    join(root, 'apps', 'codicil'),
  ];
  return folders
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => manifest.private !== true);
}
