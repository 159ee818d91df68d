import fs from 'node:fs';
import readline from 'node:readline';
import { layHistory, SESSION, STORES } from './histories.mjs';
import { readLimit } from './limits.mjs';
import { interleaved, ratio } from './measure.mjs';

/**
 * G13, G14.
 * @param {import('./report.mjs').Context} context
 */
export async function restore({ home, rounds, report, isSmoke }) {
  const entries = isSmoke ? 10_000 : 1_000_000;
  const [all, few] = [`${entries} entries`, `${entries / 100} entries`];
  for (const store of STORES) {
    const large = await layHistory(store, home, entries);
    const small = await layHistory(store, home, entries / 100);
    const restored = (/** @type {string} */ path) => async () => {
      const journal = await store.open(path);
      await journal.projection(SESSION);
      await journal.close();
    };
    const file = store.fileOf(large);
    /** @type {Readonly<Record<string, import('./measure.mjs').Case>>} */
    const parsing = store.ending === 'jsonl' ? { 'every line parsed': () => parseLines(file) } : {};
    const times = await interleaved(
      {
        'raw read': () => readLimit(file),
        [all]: restored(large),
        [few]: restored(small),
        ...parsing,
      },
      { rounds: Math.min(rounds, 7), warm: 1 },
    );
    report.table(
      `restore of ${all}, ${store.kind}, ${(fs.statSync(file).size / 1e6).toFixed(0)} MB`,
      times,
      'raw read',
    );
    report.goal('G13', `restore of ${all}, ${store.kind} ÷ reading the bytes`, ratio(times, all, 'raw read'), 0.25);
    report.goal('G14', `restore of ${all}, ${store.kind} ÷ a hundredth of them`, ratio(times, all, few), 3);
  }
}

/**
 * The plain way back: every line is read and parsed, the latest of each path is kept.
 * @param {string} file
 */
async function parseLines(file) {
  const latest = new Map();
  const input = fs.createReadStream(file, { highWaterMark: 1 << 20 });
  for await (const line of readline.createInterface({ input })) {
    if (line === '') continue;
    const { body } = JSON.parse(line).record ?? {};
    for (const { relPath, sha256 } of body === undefined ? [] : JSON.parse(body).details.instructions)
      latest.set(relPath, sha256);
  }
  return latest;
}
