import fs from 'node:fs';
import { join } from 'node:path';
import { createMemorySource } from '@codicil/file-source';
import { createInstructionResolver } from '@codicil/instruction-modules';
import { openJsonlJournal } from '@codicil/journal-jsonl';
import { createMemoryJournal, sessionId } from '@codicil/journal-records';
import { openSqliteJournal } from '@codicil/journal-sqlite';
import { openSession } from '@codicil/session';
import { interleaved, ratio } from './measure.mjs';

const REQUESTS = 5;

/** @type {readonly { kind: string, open: (path: string) => Promise<import('@codicil/journal-records').Journal> }[]} */
const STORES = [
  { kind: 'memory', open: async () => createMemoryJournal() },
  { kind: 'JSON Lines', open: (path) => openJsonlJournal(path) },
  { kind: 'SQLite', open: (path) => openSqliteJournal(`${path}.sqlite`) },
];

/**
 * A session with so many entries behind a compaction.
 * @param {import('@codicil/journal-records').Journal} journal
 * @param {number} count
 */
async function sessionAfter(journal, count) {
  const resolver = createInstructionResolver(createMemorySource([{ path: 'AGENTS.md', text: 'root\n' }]));
  const session = await openSession({ journal, resolver, sessionId: sessionId('main') });
  await session.start();
  const texts = Array.from({ length: count }, (_, index) => `turn ${index}`);
  // Together, so that they share their syncs.
  while (texts.length > 0) await Promise.all(texts.splice(0, 500).map((text) => session.prompt(text)));
  await session.compact({ summary: 'so far', keepRequests: 0 });
  return session;
}

/**
 * G21.
 * @param {import('./report.mjs').Context} context
 */
export async function request({ home, rounds, report, isSmoke }) {
  const [few, many] = isSmoke ? [20, 200] : [20, 20_000];
  for (const { kind, open } of STORES) {
    const folder = fs.mkdtempSync(join(home, 'request-'));
    const journals = { few: await open(join(folder, 'few')), many: await open(join(folder, 'many')) };
    const short = await sessionAfter(journals.few, few);
    const long = await sessionAfter(journals.many, many);
    /** @param {import('@codicil/session').Session} session */
    const requests = (session) => async () => {
      for (let index = 0; index < REQUESTS; index++) {
        await session.prompt('go on');
        await session.request();
      }
    };
    const [after, before] = [`after ${many} entries`, `after ${few} entries`];
    const times = await interleaved({ [before]: requests(short), [after]: requests(long) }, { rounds: 2 * rounds });
    report.table(`${REQUESTS} requests after a compaction, ${kind}`, times, before);
    report.goal('G21', `a request after ${many} entries ÷ after ${few}, ${kind}`, ratio(times, after, before), 1.2);
    for (const journal of Object.values(journals)) await journal.close();
    fs.rmSync(folder, { recursive: true });
  }
}
