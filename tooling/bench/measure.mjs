/** The middle of the values. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Times cases against each other: every round runs each case once, beginning with another one, so that what disturbs the machine disturbs all
 * alike. A case is a function, or `{ before, run }` whose preparation is not timed. Answers the times of each case by name, in milliseconds.
 */
export async function interleaved(cases, { rounds = 9, warm = 2 } = {}) {
  const names = Object.keys(cases);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warm; round < rounds; round++) {
    for (let index = 0; index < names.length; index++) {
      const name = names[(index + Math.max(round, 0)) % names.length];
      const { before, run } = typeof cases[name] === 'function' ? { run: cases[name] } : cases[name];
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

/** The ratio of two cases: the middle of the ratios of each round, not the ratio of the middles. */
export function ratio(times, name, base) {
  return median(times[name].map((time, round) => time / times[base][round]));
}

/** Does the same thing many times, where once is too short to be timed. */
export function repeated(count, act) {
  return async () => {
    for (let time = 0; time < count; time++) await act();
  };
}

/** The longest time, in milliseconds, that the event loop was held while the work ran. */
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

/** A source of pseudo-random numbers from 0 to 1, the same ones for the same seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
