import { median, ratio, timesOf } from './measure.mjs';

/**
 * @typedef {import('./measure.mjs').Times} Times
 * @typedef {{ readonly goal: string, readonly what: string, readonly figure: number, readonly target: number, readonly holds: boolean }} Goal
 * @typedef {{ readonly name: string, readonly milliseconds: number, readonly worst: number, readonly ratio: number }} Row
 * @typedef {{ readonly title: string, readonly base: string, readonly rows: readonly Row[] }} Table
 *
 * @typedef {object} Context What every topic is given.
 * @property {string} home a folder that stays between runs
 * @property {Report} report
 * @property {boolean} isSmoke whether inputs are tiny
 * @property {number} rounds
 */

/** @param {number} value */
const decimal = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));

/**
 * Small ratios are told as parts of one.
 * @param {number} value
 */
const part = (value) => (value > 0 && value <= 0.1 ? `1/${Math.round(1 / value)}` : decimal(value));

/**
 * A figure and its target. A target of a tenth or less is a ratio; figures with a unit have larger ones.
 * @param {{ readonly figure: number, readonly target: number }} row
 */
function told({ figure, target }) {
  const shown = target <= 0.1 ? part : decimal;
  return `${shown(figure).padStart(7)}  (≤ ${shown(target)})`;
}

/** Writes what was measured as it comes, and keeps it. `wanted` is the goals that were asked for; all of them when left out. */
export class Report {
  /** @type {Goal[]} */
  goals = [];
  /** @type {Table[]} */
  tables = [];
  /** @type {string[]} */
  unmeasured = [];
  #wanted;
  #write;

  /**
   * @param {readonly string[] | undefined} wanted
   * @param {(text: string) => void} write
   */
  constructor(wanted, write) {
    this.#wanted = wanted;
    this.#write = write;
  }

  /** @param {readonly string[]} goals */
  wants(...goals) {
    return this.#wanted === undefined || this.#wanted.some((goal) => goals.includes(goal));
  }

  /**
   * The cases of one interleaved run: the middle of the times, and of the ratios to the base in each round.
   * @param {string} title
   * @param {Times} times
   * @param {string} base
   */
  table(title, times, base) {
    const rows = Object.keys(times).map((name) => ({
      name,
      milliseconds: median(timesOf(times, name)),
      worst: Math.max(...timesOf(times, name)),
      ratio: ratio(times, name, base),
    }));
    this.tables.push({ title, base, rows });
    const width = Math.max(...rows.map(({ name }) => name.length));
    const cell = (/** @type {number} */ value) => value.toPrecision(3).padStart(9);
    this.#write(`\n${title}\n     ${'case'.padEnd(width)}         ms     worst   ÷ ${base}\n`);
    for (const { name, milliseconds, worst, ratio: toBase } of rows) {
      this.#write(`     ${name.padEnd(width)}  ${cell(milliseconds)} ${cell(worst)} ${part(toBase).padStart(8)}\n`);
    }
  }

  /**
   * @param {string} goal
   * @param {string} what
   * @param {number} figure
   * @param {number} target
   */
  goal(goal, what, figure, target) {
    if (!this.wants(goal)) return;
    if (!Number.isFinite(figure)) throw new Error(`${what}: ${figure} is no figure`);
    const holds = figure <= target;
    const row = { goal, what, figure, target, holds };
    this.goals.push(row);
    this.#write(`${goal.padEnd(4)} ${holds ? 'held  ' : 'MISSED'} ${told(row)}  ${what}\n`);
  }

  /**
   * What could not be measured, and why.
   * @param {readonly string[]} goals
   * @param {unknown} error
   */
  failure(goals, error) {
    this.unmeasured.push(...goals);
    this.#write(`${goals.join(' ')} could not be measured: ${error instanceof Error ? error.stack : error}\n`);
  }

  /** @param {string} text */
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
