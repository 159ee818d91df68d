import { median } from './measure.mjs';

const decimal = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));

/** Small ratios are told as parts of one. */
const part = (value) => (value > 0 && value <= 0.1 ? `1/${Math.round(1 / value)}` : decimal(value));

/** A figure and its target. A target of a tenth or less is a ratio; figures with a unit have larger ones. */
function told({ figure, target }) {
  const shown = target <= 0.1 ? part : decimal;
  return `${shown(figure).padStart(7)}  (≤ ${shown(target)})`;
}

/** Writes what was measured as it comes, and keeps it. `wanted` is the goals that were asked for; all of them when left out. */
export class Report {
  goals = [];
  tables = [];
  unmeasured = [];
  #wanted;
  #write;

  constructor(wanted, write) {
    this.#wanted = wanted;
    this.#write = write;
  }

  wants(...goals) {
    return this.#wanted === undefined || goals.some((goal) => this.#wanted.includes(goal));
  }

  /** The cases of one interleaved run: the middle of the times, and of the ratios to the base in each round. */
  table(title, times, base) {
    const rows = Object.entries(times).map(([name, all]) => ({
      name,
      milliseconds: median(all),
      worst: Math.max(...all),
      ratio: median(all.map((time, round) => time / times[base][round])),
    }));
    this.tables.push({ title, base, rows });
    const width = Math.max(...rows.map(({ name }) => name.length));
    const cell = (value) => value.toPrecision(3).padStart(9);
    this.#write(`\n${title}\n     ${'case'.padEnd(width)}         ms     worst   ÷ ${base}\n`);
    for (const { name, milliseconds, worst, ratio } of rows) {
      this.#write(`     ${name.padEnd(width)}  ${cell(milliseconds)} ${cell(worst)} ${part(ratio).padStart(8)}\n`);
    }
  }

  goal(goal, what, figure, target) {
    if (!this.wants(goal)) return;
    if (!Number.isFinite(figure)) throw new Error(`${what}: ${figure} is no figure`);
    const holds = figure <= target;
    const row = { goal, what, figure, target, holds };
    this.goals.push(row);
    this.#write(`${goal.padEnd(4)} ${holds ? 'held  ' : 'MISSED'} ${told(row)}  ${what}\n`);
  }

  /** What could not be measured, and why. */
  failure(goals, error) {
    this.unmeasured.push(...goals);
    this.#write(`${goals.join(' ')} could not be measured: ${error.stack ?? error}\n`);
  }

  note(text) {
    this.#write(`\n${text}\n`);
  }

  summary() {
    const missed = this.goals.filter(({ holds }) => !holds);
    this.#write(`\n${this.goals.length - missed.length} of ${this.goals.length} figures hold\n`);
    for (const row of missed) this.#write(`${row.goal.padEnd(4)} missed ${told(row)}  ${row.what}\n`);
    if (this.unmeasured.length > 0) this.#write(`not measured: ${this.unmeasured.join(' ')}\n`);
  }
}
