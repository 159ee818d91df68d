// Measures each speed goal and says whether it holds. Ratios are of one interleaved run; absolute times mean little on a shared machine.
// usage: npm run bench -- [--only G6,G7] [--rounds 9] [--json FILE] [--peers] [--smoke]
// Ends with 0 whatever the figures say, and with 1 when something could not be measured.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { append } from './append.mjs';
import { discovery } from './discovery.mjs';
import { frontmatter } from './frontmatter.mjs';
import { globs } from './globs.mjs';
import { imports } from './imports.mjs';
import { memory } from './memory.mjs';
import { nested } from './nested.mjs';
import { peers } from './peers.mjs';
import { Report } from './report.mjs';
import { request } from './request.mjs';
import { restore } from './restore.mjs';
import { sizes } from './sizes.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    json: { type: 'string' },
    peers: { type: 'boolean', default: false },
    // Tiny inputs: whether everything runs, not how fast.
    smoke: { type: 'boolean', default: false },
  },
});

const topics = [
  { goals: ['G1', 'G2', 'G3', 'G4', 'G5'], measure: discovery },
  { goals: ['G18'], measure: nested },
  { goals: ['G6', 'G7', 'G8'], measure: globs },
  { goals: ['G9'], measure: frontmatter },
  { goals: ['G10', 'G11'], measure: append },
  { goals: ['G13', 'G14'], measure: restore },
  { goals: ['G15'], measure: memory },
  { goals: ['G16'], measure: imports },
  { goals: ['G17'], measure: sizes },
  { goals: ['G21'], measure: request },
];

const home = fileURLToPath(new URL('../../out/bench', import.meta.url));
mkdirSync(home, { recursive: true });
const wanted = values.only?.split(',');
const report = new Report(wanted, (text) => void process.stdout.write(text));
const context = { home, report, isSmoke: values.smoke, rounds: values.smoke ? 2 : Number(values.rounds) };

/**
 * Others at work make every absolute time longer; ratios bear it better.
 * @param {string} when
 */
function tellLoad(when) {
  const [load = 0] = loadavg();
  report.note(`${when}: load ${load.toFixed(1)} on ${availableParallelism()} cores, Node ${process.versions.node}`);
  return load;
}

const before = tellLoad('before');
for (const { goals, measure } of topics) {
  const asked = goals.filter((goal) => report.wants(goal));
  if (asked.length === 0) continue;
  try {
    await measure(context);
  } catch (error) {
    report.failure(asked, error);
  }
}
const known = topics.flatMap(({ goals }) => goals);
const unknown = wanted?.filter((goal) => !known.includes(goal)) ?? [];
if (unknown.length > 0) report.failure(unknown, `the goals are ${known.join(' ')}`);
if (values.peers) {
  try {
    await peers(context);
  } catch (error) {
    report.failure(['peers'], error);
  }
} else {
  report.note(
    'loaders of other programs: npm run bench -- --peers installs them into out/peers and measures them beside',
  );
}
const after = tellLoad('after');
report.summary();

if (values.json !== undefined) {
  const { goals, tables, unmeasured } = report;
  const machine = { node: process.version, cores: availableParallelism(), load: [before, after] };
  writeFileSync(
    values.json,
    `${JSON.stringify({ machine, rounds: context.rounds, goals, tables, unmeasured }, null, 2)}\n`,
  );
}
process.exitCode = report.unmeasured.length === 0 ? 0 : 1;
