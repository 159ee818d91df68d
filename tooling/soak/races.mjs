// Reads a project for a long while as another process changes it, one race after another. Exit code 1 on any violation.
// usage: node tooling/soak/races.mjs [--seconds 60] [--only links|root|write|mapped]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, only: { type: 'string' } } });
const fixtures = join(root, 'packages', 'file-source-host', 'test', 'fixtures');
const home = mkdtempSync(join(tmpdir(), 'codicil-soak-'));

/** @param {string} name */
async function bundle(name) {
  const outfile = join(home, `${name}.mjs`);
  await build({
    entryPoints: [join(fixtures, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@codicil/source'],
  });
  return outfile;
}

/** Each race with its adversary. Node cannot map a file, so the last one needs a Python. */
const races = {
  links: () => bundle('adversary'),
  root: () => bundle('exchanger'),
  write: () => bundle('writer'),
  mapped: () => join(fixtures, 'mapped.py'),
};

try {
  const soak = await bundle('soak');
  let broken = 0;
  for (const [name, adversary] of Object.entries(races)) {
    if (values.only !== undefined && values.only !== name) continue;
    if (name === 'mapped' && spawnSync('python3', ['--version']).status !== 0) {
      process.stdout.write('mapped: NOT RUN, there is no python3 to map a file with\n');
      continue;
    }
    const { seen, tries, violations, rounds } = JSON.parse(
      execFileSync(process.execPath, [soak, name, await adversary(), values.seconds], { encoding: 'utf8' }),
    );
    process.stdout.write(
      `${name}: ${tries} tries against ${rounds} rounds of the adversary, ${violations.length} violations\n`,
    );
    for (const [what, count] of Object.entries(seen).sort())
      process.stdout.write(`${String(count).padStart(9)} ${what}\n`);
    for (const violation of violations) process.stdout.write(`VIOLATION ${violation}\n`);
    broken += violations.length;
  }
  process.exitCode = broken === 0 ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
