// Reads a project for a long while as another process swaps links and rewrites files in it. Exit code 1 on any violation.
// usage: node tooling/soak/races.mjs [--seconds 60]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const fixtures = join(root, 'packages', 'file-source-host', 'test', 'fixtures');
const home = mkdtempSync(join(tmpdir(), 'codicil-soak-'));
try {
  const bundle = async (name) => {
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
  };
  const [soak, adversary] = [await bundle('soak'), await bundle('adversary')];
  const { seen, violations, rounds } = JSON.parse(
    execFileSync(process.execPath, [soak, adversary, values.seconds], { encoding: 'utf8' }),
  );
  for (const [what, count] of Object.entries(seen).sort())
    process.stdout.write(`${String(count).padStart(9)} ${what}\n`);
  process.stdout.write(`${rounds} rounds of the adversary, ${violations.length} violations\n`);
  for (const violation of violations) process.stdout.write(`VIOLATION ${violation}\n`);
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
