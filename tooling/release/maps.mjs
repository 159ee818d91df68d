import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Throws unless each built file of an installed package has a map, and the sources that the map names lie in the package. The code of
 * another package that a build carries, and says so in a NOTICE, is published there.
 * @param {string} project
 * @param {string} name of the package
 */
export function checkMaps(project, name) {
  const home = join(project, 'node_modules', ...name.split('/'));
  const built = readdirSync(join(home, 'dist'), { recursive: true, encoding: 'utf8' });
  const carries = existsSync(join(home, 'NOTICE'));
  for (const file of built.filter((one) => one.endsWith('.js'))) {
    const map = join(home, 'dist', `${file}.map`);
    if (!existsSync(map)) throw new Error(`dist/${file} has no source map`);
    /** @type {{ readonly sources: readonly string[] }} */
    const { sources } = JSON.parse(readFileSync(map, 'utf8'));
    const own = carries ? sources.filter((source) => !source.includes('/node_modules/')) : sources;
    const lost = own.filter((source) => !existsSync(join(dirname(map), source)));
    if (lost.length > 0) throw new Error(`the map of dist/${file} names what is not published: ${lost.join(', ')}`);
  }
}
