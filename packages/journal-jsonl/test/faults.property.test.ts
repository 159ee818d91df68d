import { openJsonlJournal } from '@codicil/journal-jsonl';
import {
  type Draft,
  type EntryId,
  isJournalError,
  type Journal,
  type SessionId,
  sessionId,
} from '@codicil/journal-records';
import { expect, test } from 'vitest';
import { FrailDisk } from './frail-disk.ts';

const main = sessionId('main');
const other = sessionId('Other');
const said = (text: string): Draft => ({ kind: 'message', role: 'user', text });

/** Two sessions, one of them a fork, with a rewind, a compaction and two snapshots, the second of them behind everything that was acknowledged. */
async function filled(): Promise<FrailDisk> {
  const disk = new FrailDisk();
  const journal = await openJsonlJournal('/j', { disk, clock: () => 1_000, snapshotEvery: 3 });
  const add = async (session: SessionId, draft: Draft, parent?: EntryId): Promise<EntryId> => {
    const outcome = await journal.append(session, draft, { expectedLeaf: 'any', parent });
    if (outcome.kind !== 'appended') throw new Error('an append after any leaf comes in');
    return outcome.entry.id;
  };
  const first = await add(main, said('first'));
  const second = await add(main, said('second'));
  await add(main, { kind: 'rewind' }, first);
  await journal.fork(main, second, other);
  await add(main, { kind: 'compaction', summary: 'so far', keepFrom: { id: first, depth: 0 } });
  await add(main, said('x'.repeat(20)));
  for (const text of ['elsewhere', 'there', 'too']) await add(other, said(text));
  await add(main, said('more'));
  await add(main, said('last'));
  await journal.close();
  return disk;
}

async function branchOf(journal: Journal, session: SessionId): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  for await (const entry of journal.branch(session)) entries.push(entry);
  return entries;
}

/** Everything that a reader can be told; every session is one that is named, or one that is listed. */
async function shown(journal: Journal): Promise<string> {
  const sessions = await journal.sessions();
  const all: unknown[] = [sessions];
  for (const id of new Set([main, other, ...sessions.map((summary) => summary.id)])) {
    const { startup, delivered, claims, ...plain } = await journal.projection(id);
    all.push(plain, [...startup], [...delivered], [...claims], await branchOf(journal, id));
  }
  return JSON.stringify(all);
}

type Verdict =
  | 'without effect'
  | 'a read rejects'
  /** All is as before, and the damage is known. */
  | 'verify alone tells'
  | 'verify alone tells what is lost'
  | 'silent'
  | 'another error';

async function judge(disk: FrailDisk, before: string): Promise<Verdict> {
  const journal = await openJsonlJournal('/j', { disk });
  try {
    const isSame = (await shown(journal)) === before;
    const { problems } = await journal.verify();
    if (problems.length > 0) return isSame ? 'verify alone tells' : 'verify alone tells what is lost';
    return isSame ? 'without effect' : 'silent';
  } catch (error) {
    return isJournalError(error) ? 'a read rejects' : 'another error';
  }
}

/** Ways in which bytes of a file change, each by name. */
function* faultsOf(bytes: Buffer, strange: readonly string[]): Generator<readonly [name: string, damaged: Buffer]> {
  const changed = (at: number, length: number, to: (byte: number) => number): Buffer => {
    const copy = Buffer.from(bytes);
    for (let index = at; index < Math.min(at + length, copy.length); index++) copy[index] = to(copy[index] ?? 0);
    return copy;
  };
  for (const at of bytes.keys()) {
    yield ['one bit', changed(at, 1, (byte) => byte ^ (1 << (at % 8)))];
    yield ['a space to zero', changed(at, 1, (byte) => byte ^ 0x20)];
    yield ['all bits', changed(at, 1, (byte) => byte ^ 0xff)];
    yield ['zero', changed(at, 1, () => 0)];
    yield ['a run of zeros', changed(at, 64, () => 0)];
    yield ['zeros to the end', changed(at, bytes.length, () => 0)];
    yield ['cut', bytes.subarray(0, at)];
  }
  const lines = bytes.toString().split('\n');
  for (const at of lines.keys()) {
    const edited = (count: number, ...put: readonly string[]): Buffer =>
      Buffer.from(lines.toSpliced(at, count, ...put).join('\n'));
    yield ['a line removed', edited(1)];
    yield ['a line twice', edited(1, lines[at] ?? '', lines[at] ?? '')];
    yield ['lines swapped', edited(2, ...lines.slice(at, at + 2).reverse())];
    for (const line of strange) {
      yield ['a line of another session put in', edited(0, line)];
      yield ['a line of another session put in its place', edited(1, line)];
    }
  }
}

test('J5 damage to any byte or line of a store is without effect or reported, and never silent', {
  timeout: 600_000,
}, async () => {
  const disk = await filled();
  const before = await shown(await openJsonlJournal('/j', { disk: disk.clone() }));
  const counts: Record<Verdict, number> = {
    'without effect': 0,
    'a read rejects': 0,
    'verify alone tells': 0,
    'verify alone tells what is lost': 0,
    silent: 0,
    'another error': 0,
  };
  const silent: string[] = [];
  const paths = [...disk.files.keys()];
  expect(paths).toHaveLength(2);
  expect(disk.bytesOf('/j/s-main.jsonl').toString().split('"snapshot"')).toHaveLength(3);
  for (const path of paths) {
    const strange = paths
      .filter((each) => each !== path)
      .flatMap((each) => disk.bytesOf(each).toString().split('\n').slice(1));
    const bytes = disk.bytesOf(path);
    for (const [fault, damaged] of faultsOf(bytes, strange)) {
      if (damaged.equals(bytes)) continue;
      const hurt = disk.clone();
      hurt.replace(path, damaged);
      const verdict = await judge(hurt, before);
      counts[verdict]++;
      if (verdict === 'silent' || verdict === 'another error' || verdict === 'verify alone tells what is lost') {
        const at = bytes.findIndex((byte, index) => byte !== damaged[index]);
        silent.push(`${verdict}: ${path}, ${fault}, from byte ${at}`);
      }
    }
  }
  expect(silent).toEqual([]);
  for (const verdict of ['without effect', 'a read rejects', 'verify alone tells'] as const) {
    expect(counts[verdict]).toBeGreaterThan(0);
  }
});
