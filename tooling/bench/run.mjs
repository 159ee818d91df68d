// Measures each speed goal and says whether it holds. Ratios are of one interleaved run; absolute times mean little on a shared machine.
// usage: npm run bench -- [--only G6,G7] [--rounds 9] [--json FILE] [--smoke]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { imports, memory, sizes } from './costs.mjs';
import { discovery, nested } from './discovery.mjs';
import { frontmatter } from './frontmatter.mjs';
import { globs } from './globs.mjs';
import { appends, restore } from './journals.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    json: { type: 'string' },
    smoke: { type: 'boolean', default: false },
  },
});
const wanted = values.only?.split(',');
const home = join(fileURLToPath(new URL('../..', import.meta.url)), 'out', 'bench');
mkdirSync(home, { recursive: true });

const rows = [];
function report(goal, what, figure, target) {
  if (wanted !== undefined && !wanted.includes(goal)) return;
  const holds = figure <= target;
  rows.push({ goal, what, figure, target, holds });
  const shown = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(2));
  process.stdout.write(
    `${goal.padEnd(4)} ${holds ? 'held  ' : 'MISSED'} ${shown(figure).padStart(7)}  (≤ ${shown(target)})  ${what}\n`,
  );
}

const common = { home, rounds: values.smoke ? 2 : Number(values.rounds), report, isSmoke: values.smoke };
const topics = [
  [['G1', 'G2', 'G3', 'G4', 'G5'], () => discovery({ ...common, sizes: values.smoke ? [20] : [100, 1_000, 10_000] })],
  [['G6', 'G7', 'G8'], () => globs(common)],
  [['G9'], () => frontmatter(common)],
  [['G10', 'G11'], () => appends(common)],
  [['G13', 'G14'], () => restore({ ...common, entries: values.smoke ? 1_000 : 1_000_000 })],
  [['G15'], () => memory({ ...common, modules: values.smoke ? 20 : 10_000 })],
  [['G16'], () => imports(common)],
  [['G17'], () => sizes(common)],
  [['G18'], () => nested(common)],
];

for (const [goals, measure] of topics) {
  if (wanted === undefined || goals.some((goal) => wanted.includes(goal))) await measure();
}
const missed = rows.filter(({ holds }) => !holds);
process.stdout.write(`\n${rows.length - missed.length} of ${rows.length} figures hold\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
