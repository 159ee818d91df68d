// Long sessions on the disk. Each append of a journal answers with the state after it, so a million of them would take minutes; all but the last are
// written in the format of the package, and the package itself then reads them, appends and leaves its shortcuts.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openJsonlJournal } from '@codicil/journal-jsonl';
import { isJournalError, sessionId } from '@codicil/journal-records';
import { openSqliteJournal } from '@codicil/journal-sqlite';
import { random } from './measure.mjs';
import { deliveryOf } from './records.mjs';

/**
 * @typedef {import('@codicil/journal-records').EntryId} EntryId
 * @typedef {import('@codicil/journal-records').EntryHead & import('@codicil/journal-records').InstructionsRecord} Delivery
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
const TAIL = 512;

/** @param {number} index */
const idOf = (index) => /** @type {EntryId} */ (`00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`);

/**
 * The entries of a session of deliveries: `from` to `to`, behind an entry of that id.
 * @param {Random} next
 * @param {number} from
 * @param {number} to
 * @param {EntryId} before
 * @returns {Generator<Delivery>}
 */
function* entriesOf(next, from, to, before) {
  let parentId = before;
  for (let depth = from; depth < to; depth++) {
    const id = idOf(depth);
    yield { id, parentId, sessionId: SESSION, depth, at: AT + depth, ...deliveryOf(depth, next) };
    parentId = id;
  }
}

/** @param {Delivery} entry */
function lineOf(entry) {
  const json = `{"expected":${JSON.stringify(entry.parentId)},"entry":${JSON.stringify(entry)}}`;
  return `\n{"length":${Buffer.byteLength(json)},"sum":"${hash('sha256', json).slice(0, 16)}","record":${json}}`;
}

/**
 * @param {string} file
 * @param {Iterable<Delivery>} entries
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
  const insert = database.prepare('insert into entries values (?, ?, ?, ?, ?, ?, ?, ?)');
  const activate = database.prepare('insert or replace into active values (?, ?, ?, ?, ?)');
  const advance = database.prepare('update sessions set entries = ?, leaf = ?, leaf_id = ?, depth = ? where id = ?');
  database.transaction(() => {
    /** @type {string} */
    let parentId = first.id;
    for (const entry of entriesOf(next, 1, count - 1, first.id)) {
      const seq = entry.depth + 1;
      const stored = { ...entry, id: `${seq}.${entry.id.slice(18)}`, parentId };
      insert.run(seq, stored.id, SESSION, seq - 1, stored.depth, stored.at, stored.kind, JSON.stringify(stored));
      for (const { relPath, sha256 } of entry.details.instructions)
        activate.run(SESSION, relPath, sha256, stored.id, stored.depth);
      advance.run(seq, seq, stored.id, stored.depth, SESSION);
      parentId = stored.id;
    }
  })();
  database.close();
  await appendOne(openSqliteJournal, file, deliveryOf(count - 1, next));
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
