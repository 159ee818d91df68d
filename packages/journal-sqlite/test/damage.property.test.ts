import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Draft, isJournalError, type Journal, sessionId } from '@codicil/journal-records';
import { openSqliteJournal } from '@codicil/journal-sqlite';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { branchOf, type FileStore, fileStore } from './store.ts';

// Long enough that no stride steps over it.
const main = sessionId('the-session-that-the-other-one-is-forked-from');
const side = sessionId('side');
let store: FileStore;
let sound: Buffer;
let before: unknown;

/** Two sessions, one of them forked off, a rewind, a compaction and a snapshot, on pages as small as they can be. */
beforeAll(async () => {
  store = fileStore();
  const empty = new Sqlite(store.file);
  empty.pragma('page_size = 512');
  empty.exec('VACUUM');
  empty.close();
  const journal = await openSqliteJournal(store.file, { clock: () => 0, snapshotEvery: 2 });
  const any = { expectedLeaf: 'any' } as const;
  const instructions = [{ relPath: 'a.md', sha256: 'a'.repeat(64) as never, supersedes: null }];
  const details = { instructions, removed: [] };
  const delivery: Draft = {
    kind: 'turn-context',
    context: 'instructions',
    placement: 'after-message',
    text: 'a',
    details,
  };
  const first = await journal.append(main, { kind: 'message', role: 'user', text: 'hello' }, any);
  const at = first.kind === 'appended' ? first.entry.id : null;
  await journal.append(main, delivery, any);
  await journal.append(main, { kind: 'rewind' }, { ...any, parent: at });
  await journal.fork(main, at, side);
  await journal.append(main, delivery, any);
  await journal.append(side, { kind: 'touch', paths: ['b.ts'] }, any);
  await journal.append(main, { kind: 'compaction', summary: 's', keepFrom: null }, any);
  await journal.close();
  sound = readFileSync(store.file);
  const reopened = await openSqliteJournal(store.file);
  before = await readAll(reopened);
  expect((await reopened.verify()).problems).toEqual([]);
  await reopened.close();
  const database = new Sqlite(store.file);
  expect(database.prepare('SELECT count(*) FROM snapshots').pluck().get()).toBeGreaterThan(0);
  database.close();
});

afterAll(() => store.dispose());

async function readAll(journal: Journal): Promise<unknown> {
  const read: unknown[] = [];
  for (const session of [main, side]) {
    read.push(await journal.projection(session), await branchOf(journal, session));
  }
  read.push(await journal.sessions());
  return read;
}

type Outcome = 'without effect' | 'reported' | 'silent';

/** Opens and reads a damaged file. Any other error than a `JournalError` leaves as it is, and fails the test. */
async function judge(folder: string, bytes: Uint8Array): Promise<Outcome> {
  mkdirSync(folder);
  const file = join(folder, 'journal.db');
  writeFileSync(file, bytes);
  let journal: Journal | undefined;
  try {
    journal = await openSqliteJournal(file);
    if (isDeepStrictEqual(await readAll(journal), before)) return 'without effect';
    return (await journal.verify()).problems.length > 0 ? 'reported' : 'silent';
  } catch (error) {
    if (isJournalError(error)) return 'reported';
    throw error;
  } finally {
    await journal?.close();
    rmSync(folder, { recursive: true });
  }
}

/** Judges each file of a kind of damage, and names those that tell nothing. */
async function judgeAll(damaged: Iterable<readonly [what: string, bytes: Uint8Array]>) {
  const folder = join(dirname(store.file), 'damaged');
  const counts = { 'without effect': 0, reported: 0 };
  const silent: string[] = [];
  for (const [what, bytes] of damaged) {
    const outcome = await judge(folder, bytes).catch((error: unknown) => {
      throw new Error(`${what} ends in another error`, { cause: error });
    });
    if (outcome === 'silent') silent.push(what);
    else counts[outcome]++;
  }
  return { counts, silent };
}

/**
 * With 1,600 runs a property, every place. With fewer, places as far apart as there are fewer runs, and the seed says where they begin: another seed looks at others.
 */
const { numRuns = 100, seed = 0 } = fc.readConfigureGlobal();
const stride = Math.ceil(1_600 / numRuns);

/** For every place, in milliseconds. */
const PATIENCE = 900_000;

function* places(): Generator<number> {
  for (let at = Math.abs(seed) % stride; at < sound.length; at += stride) yield at;
}

function* changed(change: (byte: number, at: number) => number): Generator<readonly [string, Uint8Array]> {
  for (const at of places()) {
    const bytes = Buffer.from(sound);
    const byte = bytes[at] ?? 0;
    bytes[at] = change(byte, at);
    if (bytes[at] !== byte) yield [`byte ${at} of ${bytes.length}, ${byte} made ${bytes[at]}`, bytes];
  }
}

test.each([
  ['one bit flipped', (byte: number, at: number) => byte ^ (1 << ((at + (at >> 4)) % 8))],
  ['all bits flipped', (byte: number) => byte ^ 0xff],
  ['zero', () => 0],
])(
  'J5 a byte with %s has no effect, or is told',
  async (_what, change) => {
    const { counts, silent } = await judgeAll(changed(change));
    expect(silent).toEqual([]);
    expect(counts.reported).toBeGreaterThan(counts['without effect'] / 10);
  },
  PATIENCE,
);

test(
  'J5 a file that is cut anywhere is told, or nothing that is read was cut off',
  async () => {
    const cuts = function* (): Generator<readonly [string, Uint8Array]> {
      for (const at of places()) if (at > 0) yield [`cut at ${at} of ${sound.length}`, sound.subarray(0, at)];
    };
    const { counts, silent } = await judgeAll(cuts());
    expect(silent).toEqual([]);
    // What is cut off the last page may be zeros, or an index that no reading needs.
    expect(counts.reported).toBeGreaterThan(counts['without effect'] * 9);
  },
  PATIENCE,
);
