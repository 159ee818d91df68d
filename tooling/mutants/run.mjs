// Applies each deliberate fault, alone, and tells which test killed it. A fault that no test notices makes the run fail.
// usage: node tooling/mutants/run.mjs [--only A3] [--package activation] [--jobs 2]
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * @typedef {import('./plugin.ts').Mutant & { readonly folder: string, readonly index: number }} Placed
 * @typedef {{ readonly kind: 'killed', readonly by: string } | { readonly kind: 'survived' } | { readonly kind: 'broken', readonly why: string }} Verdict
 * @typedef {{ readonly status: string, readonly fullName: string }} Assertion
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: { only: { type: 'string' }, package: { type: 'string' }, jobs: { type: 'string' } },
});
const jobs = Number(values.jobs ?? Math.min(4, availableParallelism()));

const folders = [...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`), 'apps/codicil'];
/** @type {readonly Placed[]} */
const mutants = folders.flatMap((folder) => {
  const file = join(root, folder, 'test', 'mutants.json');
  if (!existsSync(file)) return [];
  /** @type {readonly import('./plugin.ts').Mutant[]} */
  const list = JSON.parse(readFileSync(file, 'utf8'));
  return list.map((mutant, index) => ({ ...mutant, folder, index }));
});
const chosen = mutants.filter(
  ({ invariant, folder }) =>
    (values.only === undefined || values.only === invariant) &&
    (values.package === undefined || folder.endsWith(`/${values.package}`)),
);

/**
 * @param {Placed} mutant
 * @returns {Promise<Verdict>}
 */
function judge(mutant) {
  const project = mutant.project ?? mutant.folder.split('/').at(-1) ?? '';
  const args = ['run', '--project', project, '--reporter=json', '--bail=1', '-t', `^${mutant.invariant} `];
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules', '.bin', 'vitest'), args, {
      cwd: root,
      env: { ...process.env, CODICIL_MUTANT: `${mutant.folder}#${mutant.index}` },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('close', () => {
      try {
        /** @type {{ readonly testResults: readonly { readonly assertionResults: readonly Assertion[] }[] }} */
        const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{')));
        const tests = testResults.flatMap((file) => file.assertionResults);
        const killer = tests.find((test) => test.status === 'failed');
        const ran = tests.some((test) => test.status === 'passed' || test.status === 'failed');
        if (killer !== undefined) resolve({ kind: 'killed', by: killer.fullName.trim() });
        else resolve(ran ? { kind: 'survived' } : { kind: 'broken', why: `no test named ${mutant.invariant} ran` });
      } catch {
        resolve({ kind: 'broken', why: (stderr || stdout).trim().split('\n').slice(-3).join(' ').slice(0, 300) });
      }
    });
  });
}

/** @param {Verdict} verdict */
function reasonOf(verdict) {
  if (verdict.kind === 'survived') return 'no test noticed';
  return verdict.kind === 'killed' ? verdict.by : verdict.why;
}

/** @type {{ readonly mutant: Placed, readonly verdict: Verdict }[]} */
const results = [];
const waiting = [...chosen];
async function worker() {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const verdict = await judge(mutant);
    results.push({ mutant, verdict });
    const mark = verdict.kind === 'killed' ? 'killed  ' : verdict.kind.toUpperCase().padEnd(8);
    process.stdout.write(
      `${mark} ${mutant.invariant.padEnd(3)} ${mutant.folder.split('/')[1]}#${mutant.index} ${mutant.fault}\n` +
        `             ${reasonOf(verdict)}\n`,
    );
  }
}
await Promise.all(Array.from({ length: jobs }, worker));

const bad = results.filter(({ verdict }) => verdict.kind !== 'killed');
const counts = new Map();
for (const { mutant } of results) counts.set(mutant.invariant, (counts.get(mutant.invariant) ?? 0) + 1);
process.stdout.write(
  `\n${[...counts]
    .sort()
    .map(([invariant, count]) => `${invariant}:${count}`)
    .join(' ')}\n`,
);
process.stdout.write(`${results.length - bad.length} killed, ${bad.length} survived or broken\n`);
process.exitCode = bad.length === 0 && results.length > 0 ? 0 : 1;
