import { type Disk, openJsonlJournal } from '@codicil/journal-jsonl';
import {
  type Draft,
  type EntryId,
  isJournalError,
  type Journal,
  type JournalErrorCode,
  sessionId,
} from '@codicil/journal-records';
import { expect, test } from 'vitest';
import { FrailDisk } from './frail-disk.ts';

const main = sessionId('main');
const long = sessionId('X'.repeat(200));
const fork = sessionId('fork');
const said = (text: string): Draft => ({ kind: 'message', role: 'user', text });

const METHODS = [
  'makeFolder',
  'names',
  'open',
  'create',
  'size',
  'read',
  'write',
  'openInPlace',
  'overwrite',
  'sync',
  'syncLater',
  'close',
  'publish',
  'remove',
  'syncFolder',
] as const satisfies readonly (keyof Disk)[];

/** The disk, with one call of one method that fails. */
function failing(
  disk: FrailDisk,
  method: keyof Disk,
  call: number,
): { readonly disk: Disk; readonly fault: Error; calls(): number } {
  const fault = Object.assign(new Error(`input/output error, ${method}`), { code: 'EIO' });
  let calls = 0;
  const broken = new Proxy(disk, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => {
        if (name === method && calls++ === call) throw fault;
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { disk: broken, fault, calls: () => calls };
}

/** Does all that a journal can do, step by step; whatever fails is kept, and the next step is taken. */
async function everything(
  disk: Disk,
): Promise<{ readonly acknowledged: readonly EntryId[]; readonly errors: readonly unknown[] }> {
  const acknowledged: EntryId[] = [];
  const errors: unknown[] = [];
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  };
  let journal: Journal | undefined;
  await attempt(async () => {
    journal = await openJsonlJournal('/j', { disk, snapshotEvery: 2 });
  });
  if (journal === undefined) return { acknowledged, errors };
  const opened = journal;
  const add = (session: typeof main, text: string) =>
    attempt(async () => {
      const outcome = await opened.append(session, said(text), { expectedLeaf: 'any' });
      if (outcome.kind === 'appended') acknowledged.push(outcome.entry.id);
    });
  for (const text of ['one', 'two', 'three']) await add(main, text);
  await Promise.all(['four', 'five', 'six'].map((text) => add(main, text)));
  await add(long, 'elsewhere');
  await attempt(() => opened.fork(main, acknowledged[0] ?? null, fork));
  await add(fork, 'forked');
  await attempt(() => opened.sessions());
  await attempt(async () => {
    for await (const _ of opened.branch(fork));
  });
  await attempt(() => opened.verify());
  await add(main, 'last');
  await attempt(() => opened.close());
  return { acknowledged, errors };
}

async function idsIn(journal: Journal): Promise<ReadonlySet<EntryId>> {
  const ids = new Set<EntryId>();
  for (const { id } of await journal.sessions()) for await (const entry of journal.branch(id)) ids.add(entry.id);
  return ids;
}

test.each(METHODS)(
  'J1 a failure of `%s`, whichever call it is, is told with its cause and loses nothing',
  async (method) => {
    const CODES: readonly JournalErrorCode[] = [
      'journal_read_failed',
      'journal_write_failed',
      'journal_sync_failed',
      'journal_latched',
    ];
    const whole = failing(new FrailDisk(), method, -1);
    await everything(whole.disk);
    expect(whole.calls()).toBeGreaterThan(0);
    for (let call = 0; call < whole.calls(); call++) {
      const disk = new FrailDisk();
      const { disk: broken, fault } = failing(disk, method, call);
      const { acknowledged, errors } = await everything(broken);
      for (const error of errors) {
        if (!isJournalError(error)) throw error;
        // The entry to fork at never came into being.
        if (error.code === 'journal_unknown_session' || error.code === 'journal_unknown_entry') continue;
        expect(CODES).toContain(error.code);
        const cause = error.code === 'journal_latched' ? (error.cause as Error).cause : error.cause;
        expect(cause).toBe(fault);
      }
      const again = await openJsonlJournal('/j', { disk });
      const ids = await idsIn(again);
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect((await again.append(main, said('goes on'), { expectedLeaf: 'any' })).kind).toBe('appended');
      expect((await again.verify()).problems.filter(({ kind }) => kind === 'corrupt')).toEqual([]);
    }
  },
);

test('J1 who appends to a file that a dead process made has its name on the disk before anyone is told', async () => {
  const disk = new FrailDisk();
  const { disk: broken } = failing(disk, 'syncFolder', 0);
  const dying = await openJsonlJournal('/j', { disk: broken });
  await expect(dying.append(main, said('never told'), { expectedLeaf: null })).rejects.toMatchObject({
    code: 'journal_write_failed',
  });
  const journal = await openJsonlJournal('/j', { disk });
  const outcome = await journal.append(main, said('told'), { expectedLeaf: 'any' });
  const found = disk.afterPowerFailure({ bytes: () => 0, zeros: 0, replaced: 0 });
  const { leaf } = await (await openJsonlJournal('/j', { disk: found })).projection(main);
  expect(outcome).toMatchObject({ kind: 'appended', entry: { id: leaf } });
});

test('J6 reading down to a depth reads nothing of the file before it', async () => {
  const disk = new FrailDisk();
  const journal = await openJsonlJournal('/j', { disk });
  for (let index = 0; index < 8; index++)
    await journal.append(main, said('x'.repeat(100_000)), { expectedLeaf: 'any' });
  const size = disk.bytesOf('/j/s-main.jsonl').length;
  disk.reads.length = 0;
  const depths: number[] = [];
  for await (const { depth } of journal.branch(main, { downTo: 6 })) depths.push(depth);
  expect(depths).toEqual([7, 6]);
  // All but the mark, which stands near the beginning.
  expect(Math.min(...disk.reads.filter((position) => position > 1_000))).toBeGreaterThan(size / 2);
});
