/**
 * @typedef {() => unknown} Act
 * @typedef {Act | { readonly before: Act, readonly run: Act }} Case
 * @typedef {Readonly<Record<string, readonly number[]>>} Times the milliseconds of each case, by round
 * @typedef {() => number} Random from 0 to 1
 */

/**
 * The middle of the values. Throws where there is none.
 * @param {readonly number[]} values
 * @returns {number}
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

/**
 * Times cases against each other: every round runs each case once, beginning with another one, so that what disturbs the machine disturbs all
 * alike. A case is a function, or `{ before, run }` whose preparation is not timed. Answers the times of each case by name, in milliseconds.
 * @template {string} Name
 * @param {Readonly<Record<Name, Case>>} cases
 * @param {{ readonly rounds?: number, readonly warm?: number }} [o]
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function interleaved(cases, { rounds = 9, warm = 2 } = {}) {
  const known = /** @type {[Name, Case][]} */ (Object.entries(cases));
  const times = /** @type {Record<Name, number[]>} */ (
    Object.fromEntries(known.map(([name]) => [name, /** @type {number[]} */ ([])]))
  );
  for (let round = -warm; round < rounds; round++) {
    const first = Math.max(round, 0) % known.length;
    for (const [name, one] of [...known.slice(first), ...known.slice(0, first)]) {
      const { before, run } = typeof one === 'function' ? { before: undefined, run: one } : one;
      await before?.();
      globalThis.gc?.();
      const start = performance.now();
      await run();
      const time = performance.now() - start;
      if (round >= 0) times[name].push(time);
    }
  }
  return times;
}

/**
 * The ratio of two cases: the middle of the ratios of each round, not the ratio of the middles.
 * @param {Times} times
 * @param {string} name
 * @param {string} base
 */
export function ratio(times, name, base) {
  const bases = timesOf(times, base);
  return median(timesOf(times, name).map((time, round) => time / (bases[round] ?? Number.NaN)));
}

/**
 * The times of a case. Throws where there is no such case.
 * @param {Times} times
 * @param {string} name
 */
export function timesOf(times, name) {
  const found = times[name];
  if (found === undefined) throw new Error(`there is no case "${name}"`);
  return found;
}

/**
 * Does the same thing many times, where once is too short to be timed.
 * @param {number} count
 * @param {Act} act
 */
export function repeated(count, act) {
  return async () => {
    for (let time = 0; time < count; time++) await act();
  };
}

/**
 * The longest time, in milliseconds, that the event loop was held while the work ran.
 * @param {Act} work
 */
export async function longestBlock(work) {
  let longest = 0;
  let last = performance.now();
  let isRunning = true;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  await new Promise(setImmediate);
  isRunning = false;
  return longest;
}

/**
 * A source of pseudo-random numbers from 0 to 1, the same ones for the same seed.
 * @param {number} seed
 * @returns {Random}
 */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
