// Long sessions on the disk. Each append of a journal answers with the state after it, so a million of them would take minutes; all but the last are
// written in the format of the package, and the package itself then reads them, appends and leaves its shortcuts.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openJsonlJournal } from '@codicil/journal-jsonl';
import { isJournalError, sealEntry, sessionId } from '@codicil/journal-records';
import { openSqliteJournal } from '@codicil/journal-sqlite';
import { random } from './measure.mjs';
import { deliveryOf } from './records.mjs';

/**
 * @typedef {import('@codicil/journal-records').EntryId} EntryId
 * @typedef {import('@codicil/journal-records').StoredEntry} StoredEntry
 * @typedef {(path: string) => Promise<import('@codicil/journal-records').Journal>} Open
 * @typedef {import('./measure.mjs').Random} Random
 *
 * @typedef {object} Store
 * @property {string} kind
 * @property {Open} open
 * @property {(path: string, count: number) => Promise<void>} fill
 * @property {string} ending
 * @property {(path: string) => string} fileOf
 */

export const SESSION = sessionId('main');
const AT = 1_796_000_000_000;
/** What a process that dies leaves behind its last checkpoint, on average: half of what lies between two. */
const TAIL = 128;

/**
 * The entries of a session of deliveries, as a store keeps them: `from` to `to`, behind an entry of that id.
 * @param {Random} next
 * @param {number} from
 * @param {number} to
 * @param {EntryId} before
 * @returns {Generator<StoredEntry>}
 */
function* entriesOf(next, from, to, before) {
  let parentId = before;
  for (let depth = from; depth < to; depth++) {
    const head = { parentId, sessionId: SESSION, depth, at: AT + depth };
    const { stored } = sealEntry(head, deliveryOf(depth, next));
    yield stored;
    parentId = stored.id;
  }
}

/** @param {StoredEntry} stored */
function lineOf(stored) {
  const json = JSON.stringify({ expected: stored.parentId, ...stored });
  const sum = hash('sha256', `${SESSION}\n${json}`).slice(0, 16);
  return `\n{"length":${Buffer.byteLength(json)},"sum":"${sum}","record":${json}}`;
}

/**
 * @param {string} file
 * @param {Iterable<StoredEntry>} entries
 */
function appendLines(file, entries) {
  const descriptor = fs.openSync(file, 'a');
  /** @type {string[]} */
  let lines = [];
  const write = () => fs.writeSync(descriptor, lines.join(''));
  for (const entry of entries) {
    lines.push(lineOf(entry));
    if (lines.length < 4_000) continue;
    write();
    lines = [];
  }
  write();
  fs.closeSync(descriptor);
}

/**
 * One append by the package, which reads all that is there first. Answers the entry.
 * @param {Open} open
 * @param {string} path
 * @param {import('@codicil/journal-records').Draft} draft
 */
async function appendOne(open, path, draft) {
  const journal = await open(path);
  const outcome = await journal.append(SESSION, draft, { expectedLeaf: 'any' });
  await journal.close();
  if (outcome.kind === 'conflict') throw new Error(`somebody else writes to ${path}`);
  return outcome.entry;
}

/**
 * @param {string} folder
 * @param {number} count
 */
async function fillJsonl(folder, count) {
  const next = random(9);
  const first = await appendOne(openJsonlJournal, folder, deliveryOf(0, next));
  const file = onlyFile(folder);
  const shortcut = Math.max(1, count - 1 - TAIL);
  appendLines(file, entriesOf(next, 1, shortcut, first.id));
  const last = await appendOne(openJsonlJournal, folder, deliveryOf(shortcut, next));
  appendLines(file, entriesOf(next, shortcut + 1, count, last.id));
}

/**
 * @param {string} file
 * @param {number} count
 */
async function fillSqlite(file, count) {
  const next = random(9);
  const first = await appendOne(openSqliteJournal, file, deliveryOf(0, next));
  /** @type {typeof import('better-sqlite3')} */
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const database = new Database(file);
  const insert = database.prepare('insert into entries values (?, ?, ?, ?, ?, ?)');
  const advance = database.prepare('update sessions set entries = ?, leaf = ?, sum = ? where id = ?');
  /**
   * @param {number} from
   * @param {number} to
   * @param {EntryId} before
   */
  const fill = (from, to, before) =>
    database.transaction(() => {
      let leafId = before;
      for (const { id, depth, body } of entriesOf(next, from, to, before)) {
        insert.run(depth + 1, id, SESSION, depth, depth, body);
        leafId = id;
      }
      const sum = hash('sha256', JSON.stringify([SESSION, to, to, leafId, null, null, null])).slice(0, 16);
      advance.run(to, to, sum, SESSION);
    })();
  const shortcut = Math.max(2, count - 1 - TAIL);
  fill(1, shortcut, first.id);
  const last = await appendOne(openSqliteJournal, file, deliveryOf(shortcut, next));
  fill(shortcut + 1, count, last.id);
  database.close();
}

/** @param {string} folder */
function onlyFile(folder) {
  const [name] = fs.readdirSync(folder);
  if (name === undefined) throw new Error(`${folder} is empty`);
  return join(folder, name);
}

/** @type {readonly Store[]} */
export const STORES = [
  {
    kind: 'JSON Lines',
    open: openJsonlJournal,
    fill: fillJsonl,
    ending: 'jsonl',
    fileOf: onlyFile,
  },
  { kind: 'SQLite', open: openSqliteJournal, fill: fillSqlite, ending: 'sqlite', fileOf: (file) => file },
];

/**
 * A store with a session of so many entries. It is filled once; later runs find it, unless it can no longer be read.
 * @param {Store} store
 * @param {string} home
 * @param {number} count
 */
export async function layHistory({ open, fill, ending }, home, count) {
  const path = join(home, `history-${count}.${ending}`);
  if (fs.existsSync(path) && (await countOf(open, path)) === count) return path;
  for (const part of ['', '-wal', '-shm']) fs.rmSync(`${path}${part}`, { recursive: true, force: true });
  await fill(path, count);
  const found = await countOf(open, path);
  if (found !== count) throw new Error(`${path} was filled with ${count} entries, and ${found} are read from it`);
  return path;
}

/**
 * @param {Open} open
 * @param {string} path
 */
async function countOf(open, path) {
  try {
    const journal = await open(path);
    const { depth } = await journal.projection(SESSION);
    await journal.close();
    return depth + 1;
  } catch (error) {
    if (isJournalError(error)) return undefined;
    throw error;
  }
}
