import fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openJsonlJournal } from '@codicil/journal-jsonl';
import { sessionId } from '@codicil/journal-records';
import { openSqliteJournal } from '@codicil/journal-sqlite';
import { interleaved, random, ratio } from './measure.mjs';
import { deliveryOf } from './records.mjs';

/**
 * @typedef {import('@codicil/journal-records').Journal} Journal
 * @typedef {readonly import('@codicil/journal-records').Draft[]} Drafts
 * @typedef {(journal: Journal, drafts: Drafts) => Promise<void>} Write
 * @typedef {import('./report.mjs').Context & { readonly drafts: Drafts, readonly fresh: () => string }} Subject
 */

const WRITERS = 64;
const datasync = promisify(fs.fdatasync);
const MAIN = sessionId('main');

/**
 * G10, G11. A round is short, and there are many: whoever else syncs to the disk meanwhile disturbs few of them.
 * @param {import('./report.mjs').Context} context
 */
export async function append(context) {
  const folder = fs.mkdtempSync(join(context.home, 'append-'));
  const next = random(3);
  let files = 0;
  const subject = {
    ...context,
    drafts: Array.from({ length: 2 * WRITERS }, (_, index) => deliveryOf(index, next)),
    fresh: () => join(folder, String(files++)),
  };
  try {
    if (context.report.wants('G10')) await jsonl(subject);
    if (context.report.wants('G11')) await sqlite(subject);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/**
 * One after the other.
 * @param {Journal} journal
 * @param {Drafts} drafts
 */
async function oneWriter(journal, drafts) {
  for (const draft of drafts) await journal.append(MAIN, draft, { expectedLeaf: 'any' });
}

/**
 * Each writer waits for its record before it has the next.
 * @param {Journal} journal
 * @param {Drafts} drafts
 */
async function manyWriters(journal, drafts) {
  const waiting = [...drafts];
  const write = async () => {
    for (let draft = waiting.pop(); draft !== undefined; draft = waiting.pop()) {
      await journal.append(MAIN, draft, { expectedLeaf: 'any' });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/**
 * A case on a journal that is open and has its first entry; neither counts.
 * @param {() => Promise<Journal>} open
 * @param {Write} act
 * @param {Drafts} drafts
 */
function onJournal(open, act, drafts) {
  /** @type {Journal | undefined} */
  let journal;
  return {
    before: async () => {
      await journal?.close();
      journal = await open();
      await oneWriter(journal, drafts.slice(0, 1));
    },
    run: () => act(prepared(journal), drafts),
  };
}

/**
 * @template T
 * @param {T | undefined} value
 * @returns {T}
 */
function prepared(value) {
  if (value === undefined) throw new Error('the case was not prepared');
  return value;
}

/**
 * What the journal writes for the drafts, a line each.
 * @param {(folder: string) => Promise<Journal>} open
 * @param {string} folder
 * @param {Drafts} drafts
 */
async function linesOf(open, folder, drafts) {
  const journal = await open(folder);
  await oneWriter(journal, drafts);
  const [name = ''] = fs.readdirSync(folder);
  const lines = fs
    .readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .slice(-drafts.length - 1, -1);
  await journal.close();
  return lines.map((line) => Buffer.from(`${line}\n`));
}

/** @param {Subject} subject */
async function jsonl({ drafts, fresh, rounds, report }) {
  const lines = await linesOf(openJsonlJournal, fresh(), drafts);
  const open = () => openJsonlJournal(fresh());
  /** @type {number | undefined} */
  let file;
  const newFile = () => {
    if (file !== undefined) fs.closeSync(file);
    file = fs.openSync(fresh(), 'a');
  };
  const times = await interleaved(
    {
      'write + fdatasync': {
        before: newFile,
        run: () => {
          for (const line of lines) {
            fs.writeSync(prepared(file), line);
            fs.fdatasyncSync(prepared(file));
          }
        },
      },
      'the same, a promise a call': {
        before: newFile,
        run: async () => {
          for (const line of lines) {
            fs.writeSync(prepared(file), line);
            await datasync(prepared(file));
          }
        },
      },
      'one writer': onJournal(open, oneWriter, drafts),
      '64 writers': onJournal(open, manyWriters, drafts),
    },
    { rounds: 5 * rounds },
  );
  report.table(`${drafts.length} durable appends, JSON Lines`, times, 'write + fdatasync');
  report.goal(
    'G10',
    'JSON Lines append, one writer ÷ write + fdatasync of the same bytes',
    ratio(times, 'one writer', 'write + fdatasync'),
    1.15,
  );
  report.goal('G10', 'the same, 64 writers, a record', ratio(times, '64 writers', 'write + fdatasync'), 0.1);
}

/** @param {Subject} subject */
async function sqlite({ drafts, fresh, rounds, report }) {
  /** @type {typeof import('better-sqlite3')} */
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const texts = drafts.map((draft) => JSON.stringify(draft));
  /** @type {import('better-sqlite3').Database | undefined} */
  let database;
  /** @type {import('better-sqlite3').Statement | undefined} */
  let insert;
  const times = await interleaved(
    {
      'bare INSERT': {
        before: () => {
          database?.close();
          database = new Database(fresh());
          database.pragma('journal_mode = WAL');
          database.pragma('synchronous = FULL');
          database.exec('create table entries (number integer primary key, json text)');
          insert = database.prepare('insert into entries (json) values (?)');
          insert.run(texts[0]);
        },
        run: () => {
          for (const text of texts) prepared(insert).run(text);
        },
      },
      'one writer': onJournal(() => openSqliteJournal(fresh()), oneWriter, drafts),
      '64 writers': onJournal(() => openSqliteJournal(fresh()), manyWriters, drafts),
    },
    { rounds: 5 * rounds },
  );
  report.table(`${drafts.length} durable appends, SQLite, synchronous=FULL`, times, 'bare INSERT');
  report.goal('G11', 'SQLite append ÷ bare INSERT', ratio(times, 'one writer', 'bare INSERT'), 1.3);
}
