// Long sessions on the disk. Each append of a journal answers with the state after it, so a million of them would take minutes; all but the last are
// written in the format of the package, and the package itself then reads them, appends and leaves its shortcuts.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openJsonlJournal } from '@codicil/journal-jsonl';
import { openSqliteJournal } from '@codicil/journal-sqlite';
import { random } from './measure.mjs';
import { deliveryOf } from './records.mjs';

export const SESSION = 'main';
const AT = 1_796_000_000_000;
/** What a process that dies leaves behind its last checkpoint, on average: half of what lies between two. */
const TAIL = 512;

const idOf = (index) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

/** The entries of a session of deliveries: `from` to `to`, behind an entry of that id. */
function* entriesOf(next, from, to, before) {
  let parentId = before;
  for (let depth = from; depth < to; depth++) {
    const id = idOf(depth);
    yield { id, parentId, sessionId: SESSION, depth, at: AT + depth, ...deliveryOf(depth, next) };
    parentId = id;
  }
}

/** The same, each after the stored id of the one before it. */
function* storedEntriesOf(next, from, to, before) {
  let parentId = before;
  for (const entry of entriesOf(next, from, to, before)) {
    const stored = storedOf({ ...entry, parentId });
    yield stored;
    parentId = stored.id;
  }
}

/** An entry as it is stored: its id goes over its body. */
function storedOf({ id: nonce, ...fields }) {
  const body = JSON.stringify(fields);
  const prefix = nonce.slice(-12);
  return {
    id: `${prefix}-${hash('sha256', `${prefix}\n${body}`).slice(0, 32)}`,
    parentId: fields.parentId,
    depth: fields.depth,
    body,
  };
}

function lineOf(stored) {
  const json = JSON.stringify({ expected: stored.parentId, ...stored });
  const sum = hash('sha256', `${SESSION}\n${json}`).slice(0, 16);
  return `\n{"length":${Buffer.byteLength(json)},"sum":"${sum}","record":${json}}`;
}

function appendLines(file, entries) {
  const descriptor = fs.openSync(file, 'a');
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

/** One append by the package, which reads all that is there first. Answers the entry. */
async function appendOne(open, path, draft) {
  const journal = await open(path);
  const { entry } = await journal.append(SESSION, draft, { expectedLeaf: 'any' });
  await journal.close();
  return entry;
}

async function fillJsonl(folder, count) {
  const next = random(9);
  const first = await appendOne(openJsonlJournal, folder, deliveryOf(0, next));
  const [name] = fs.readdirSync(folder);
  const file = join(folder, name);
  const shortcut = Math.max(1, count - 1 - TAIL);
  appendLines(file, storedEntriesOf(next, 1, shortcut, first.id));
  const last = await appendOne(openJsonlJournal, folder, deliveryOf(shortcut, next));
  appendLines(file, storedEntriesOf(next, shortcut + 1, count, last.id));
}

async function fillSqlite(file, count) {
  const next = random(9);
  const first = await appendOne(openSqliteJournal, file, deliveryOf(0, next));
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const database = new Database(file);
  const insert = database.prepare('insert into entries values (?, ?, ?, ?, ?, ?, ?, ?)');
  const activate = database.prepare('insert or replace into active values (?, ?, ?, ?, ?)');
  const advance = database.prepare('update sessions set entries = ?, leaf = ?, leaf_id = ?, depth = ? where id = ?');
  database.transaction(() => {
    let parentId = first.id;
    for (const entry of entriesOf(next, 1, count - 1, first.id)) {
      const seq = entry.depth + 1;
      const stored = { ...entry, id: `${seq}.${entry.id.slice(18)}`, parentId };
      const [{ relPath, sha256 }] = entry.details.instructions;
      insert.run(seq, stored.id, SESSION, seq - 1, stored.depth, stored.at, stored.kind, JSON.stringify(stored));
      activate.run(SESSION, relPath, sha256, stored.id, stored.depth);
      advance.run(seq, seq, stored.id, stored.depth, SESSION);
      parentId = stored.id;
    }
  })();
  database.close();
  await appendOne(openSqliteJournal, file, deliveryOf(count - 1, next));
}

export const STORES = [
  {
    kind: 'JSON Lines',
    open: openJsonlJournal,
    fill: fillJsonl,
    ending: 'jsonl',
    fileOf: (folder) => join(folder, fs.readdirSync(folder)[0]),
  },
  { kind: 'SQLite', open: openSqliteJournal, fill: fillSqlite, ending: 'sqlite', fileOf: (file) => file },
];

/** A store with a session of so many entries. It is filled once; later runs find it, unless it can no longer be read. */
export async function layHistory({ open, fill, ending }, home, count) {
  const path = join(home, `history-${count}.${ending}`);
  if (fs.existsSync(path) && (await countOf(open, path)) === count) return path;
  for (const part of ['', '-wal', '-shm']) fs.rmSync(`${path}${part}`, { recursive: true, force: true });
  await fill(path, count);
  const found = await countOf(open, path);
  if (found !== count) throw new Error(`${path} was filled with ${count} entries, and ${found} are read from it`);
  return path;
}

async function countOf(open, path) {
  try {
    const journal = await open(path);
    const { depth } = await journal.projection(SESSION);
    await journal.close();
    return depth + 1;
  } catch (error) {
    if (error.name === 'JournalError') return undefined;
    throw error;
  }
}
