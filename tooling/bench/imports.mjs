import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { difference, interleaved } from './measure.mjs';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));
const require = createRequire(import.meta.url);
/** Loaded by some packages, late: what they would cost at once. */
const LIBRARIES = ['yaml', 'better-sqlite3'];
const DRIVERS = { 'journal-sqlite': 'better-sqlite3' };

/** A process that imports one file, or nothing but an empty module. */
function importing(file) {
  const url = file === undefined ? 'data:text/javascript,' : pathToFileURL(file).href;
  return () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `await import(${JSON.stringify(url)})`],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`${url} cannot be imported: ${stderr}`);
  };
}

/** G16. */
export async function imports({ rounds, report, isSmoke }) {
  const names = readdirSync(packages).slice(0, isSmoke ? 2 : undefined);
  const times = await interleaved(
    {
      'empty process': importing(undefined),
      ...Object.fromEntries(names.map((name) => [name, importing(join(packages, name, 'dist', 'index.js'))])),
      ...Object.fromEntries(LIBRARIES.map((name) => [name, importing(require.resolve(name))])),
    },
    { rounds: isSmoke ? rounds : Math.max(9, rounds), warm: 1 },
  );
  report.table('cold import, a process each', times, 'empty process');
  for (const name of names) {
    report.goal('G16', `import of ${name} − an empty process (ms)`, difference(times, name, 'empty process'), 10);
    const driver = DRIVERS[name];
    if (driver === undefined) continue;
    report.goal('G16', `import of ${name} − ${driver} alone (ms)`, difference(times, name, driver), 5);
  }
}
