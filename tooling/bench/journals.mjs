import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { openJsonlJournal } from '@codicil/journal-jsonl';
import { openSqliteJournal } from '@codicil/journal-sqlite';
import { interleaved, random, ratio } from './measure.mjs';

const COUNT = 200;
const sha = (text) => createHash('sha256').update(text).digest('hex');

/** One delivery of one module. */
function recordOf(index, next) {
  const relPath = `.elowen/rules/api/r${Math.floor(next() * 2_000)}.md`;
  return {
    kind: 'turn-context',
    context: 'instructions',
    placement: 'after-message',
    text: '',
    details: { instructions: [{ relPath, sha256: sha(`${relPath}${index}`), supersedes: null }], removed: [] },
  };
}

/** G10, G11. */
export async function appends({ home, rounds, report }) {
  const next = random(3);
  const records = Array.from({ length: COUNT }, (_, index) => recordOf(index, next));
  let number = 0;
  const scratch = fs.mkdtempSync(join(home, 'append-'));
  const fresh = () => join(scratch, String(number++));

  const probe = await openJsonlJournal(fresh());
  await probe.append('main', records[0], { expectedLeaf: null });
  await probe.close();
  const line = Buffer.alloc(620, 'x');
  const rawFile = () => {
    const descriptor = fs.openSync(fresh(), 'a');
    for (let index = 0; index < COUNT; index++) {
      fs.writeSync(descriptor, line);
      fs.fdatasyncSync(descriptor);
    }
    fs.closeSync(descriptor);
  };
  const withJsonl = (act) => {
    let journal;
    return {
      before: async () => {
        await journal?.close();
        journal = await openJsonlJournal(fresh());
        await journal.append('main', records[0], { expectedLeaf: null });
      },
      run: () => act(journal),
    };
  };
  const chain = async (journal) => {
    for (const record of records) await journal.append('main', record, { expectedLeaf: 'any' });
  };
  const crowd = (journal) =>
    Promise.all(records.map((record) => journal.append('main', record, { expectedLeaf: 'any' })));
  const files = await interleaved({ raw: rawFile, chain: withJsonl(chain), crowd: withJsonl(crowd) }, { rounds });
  report(
    'G10',
    'JSON Lines append, one writer ÷ write and fdatasync of as many bytes',
    ratio(files, 'chain', 'raw'),
    1.15,
  );
  report('G10', `the same, ${COUNT} writers at once, a record`, ratio(files, 'crowd', 'raw'), 0.1);

  const Database = createRequire(import.meta.url)('better-sqlite3');
  const bare = () => {
    const database = new Database(`${fresh()}.sqlite`);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec('create table entries (n integer primary key, json text)');
    return database.prepare('insert into entries (json) values (?)');
  };
  let insert;
  let sqlite;
  const text = JSON.stringify(records[0]);
  const databases = await interleaved(
    {
      raw: {
        before: () => {
          insert = bare();
        },
        run: () => {
          for (let index = 0; index < COUNT; index++) insert.run(text);
        },
      },
      sqlite: {
        before: async () => {
          await sqlite?.close();
          sqlite = await openSqliteJournal(`${fresh()}.sqlite`);
          await sqlite.append('main', records[0], { expectedLeaf: null });
        },
        run: () => chain(sqlite),
      },
    },
    { rounds },
  );
  report('G11', 'SQLite append ÷ bare INSERT, synchronous=FULL', ratio(databases, 'sqlite', 'raw'), 1.3);
  await sqlite?.close();
  fs.rmSync(scratch, { recursive: true, force: true });
}

/** Fills a store once; it is kept between runs. */
async function filled(path, open, entries) {
  if (fs.existsSync(`${path}.filled`)) return;
  fs.rmSync(path, { recursive: true, force: true });
  const journal = await open(path);
  const next = random(9);
  for (let index = 0; index < entries; ) {
    const batch = [];
    for (let size = 0; size < 2_000 && index < entries; size++, index++)
      batch.push(journal.append('main', recordOf(index, next), { expectedLeaf: 'any' }));
    await Promise.all(batch);
  }
  await journal.close();
  fs.writeFileSync(`${path}.filled`, '');
}

/** G13, G14. */
export async function restore({ home, rounds, report, entries }) {
  // SQLite commits each append by itself, which takes minutes for a million: a tenth says the same of an index.
  const stores = { jsonl: [openJsonlJournal, entries], sqlite: [openSqliteJournal, entries / 10] };
  for (const [kind, [open, size]] of Object.entries(stores)) {
    const [large, small] = [size, size / 100].map((count) => join(home, `restore-${count}.${kind}`));
    await filled(large, open, size);
    await filled(small, open, size / 100);
    const restored = (path) => async () => {
      const journal = await open(path);
      await journal.projection('main');
      await journal.close();
    };
    const file = kind === 'jsonl' ? join(large, 's-main.jsonl') : large;
    const chunk = Buffer.allocUnsafe(1 << 20);
    const raw = () => {
      const descriptor = fs.openSync(file, 'r');
      while (fs.readSync(descriptor, chunk, 0, chunk.length, null) > 0);
      fs.closeSync(descriptor);
    };
    const times = await interleaved({ raw, large: restored(large), small: restored(small) }, { rounds });
    report('G13', `restore ${size} entries, ${kind} ÷ reading the bytes`, ratio(times, 'large', 'raw'), 0.25);
    report('G14', `restore ${size} entries ÷ a hundredth of them, ${kind}`, ratio(times, 'large', 'small'), 3);
  }
}
