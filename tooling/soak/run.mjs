// The long campaigns, of which `npm test` runs a short slice each. usage: node tooling/soak/run.mjs [--seconds 60] [--kills 220] [--runs 2000] [--steps 10000] [--only races|crashes|rivals|properties]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    kills: { type: 'string', default: '220' },
    runs: { type: 'string', default: '2000' },
    steps: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    only: { type: 'string' },
  },
});

/**
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env
 * @returns {[command: string, args: string[], env: Readonly<Record<string, string>>]}
 */
const vitest = (args, env) => [join(root, 'node_modules', '.bin', 'vitest'), ['run', ...args], env];

/** @type {Readonly<Record<string, () => [command: string, args: string[], env: Readonly<Record<string, string>>]>>} */
const campaigns = {
  // Each race against an adversary in another process, a minute each.
  races: () => [process.execPath, ['tooling/soak/races.mjs', '--seconds', values.seconds], {}],
  // Sessions that deliver, killed at random instants, on each durable journal.
  crashes: () => vitest(['--project', 'codicil', '-t', 'killed again and again'], { CODICIL_KILLS: values.kills }),
  // Two to eight processes on one session, killed at random, on each durable journal.
  rivals: () =>
    vitest(['--project', 'codicil', '-t', 'several processes on one'], {
      CODICIL_RIVAL_STEPS: values.steps,
      CODICIL_SEED: values.seed,
    }),
  // Every property, many more runs, another seed.
  properties: () =>
    vitest(['-t', '^[A-Z][0-9] ', '--testTimeout', '3600000'], {
      CODICIL_RUNS: values.runs,
      CODICIL_SEED: values.seed,
    }),
};

const red = [];
for (const [name, campaign] of Object.entries(campaigns)) {
  if (values.only !== undefined && values.only !== name) continue;
  const [command, args, env] = campaign();
  process.stdout.write(`\n== ${name}${name === 'properties' ? `, seed ${values.seed}, ${values.runs} runs` : ''}\n`);
  const start = performance.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  process.stdout.write(
    `== ${name}: ${status === 0 ? 'held' : 'BROKEN'}, ${((performance.now() - start) / 1000).toFixed(0)} s\n`,
  );
  if (status !== 0) red.push(name);
}
process.stdout.write(red.length === 0 ? '\nevery campaign held\n' : `\nbroken: ${red.join(', ')}\n`);
process.exitCode = red.length === 0 ? 0 : 1;
