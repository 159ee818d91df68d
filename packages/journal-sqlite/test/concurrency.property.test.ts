import { assertRoundsLinearizable } from '@codicil/arbitraries/rounds';
import { sessionId } from '@codicil/journal-records';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Child, program } from './children.ts';
import { branchOf, type FileStore, fewerRuns, fileStore } from './store.ts';

const main = sessionId('main');
let store: FileStore;

beforeEach(() => {
  store = fileStore();
});

afterEach(() => store.dispose());

test('J2 appends from several openings at once are answered as if they came one after another', () =>
  assertRoundsLinearizable(async () => fileStore(), fewerRuns(4)));

test('J2 four processes on one session form one chain, and none of them starves', async () => {
  const contender = await program('contender');
  const names = ['a', 'b', 'c', 'd'];
  const children = names.map((name) => new Child(contender, store.file, name, '25'));
  for (const child of children) await child.printed(1);
  for (const child of children) child.go();
  const codes = await Promise.all(children.map((child) => child.end()));
  expect(children.map((child) => child.said())).toEqual(names.map(() => ''));
  expect(codes).toEqual(names.map(() => 0));

  const branch = await branchOf(await store.open(), main);
  const ids: readonly string[] = branch.map(({ id }) => id);
  expect(ids).toHaveLength(100);
  for (const child of children) {
    let last = -1;
    for (const line of child.lines().slice(1)) {
      const [kind, leaf = '', expected = ''] = line.split(' ');
      const at = ids.indexOf(leaf);
      // What was appended follows the leaf that was expected; a conflict tells a later leaf. A process never goes back in time.
      if (kind === 'appended') expect(ids[at - 1] ?? 'null').toBe(expected);
      else expect(at).toBeGreaterThan(ids.indexOf(expected));
      expect(at).toBeGreaterThanOrEqual(last);
      last = at;
    }
  }
});

test('J2 of two processes that write without a pause neither keeps the other one out', async () => {
  const hog = new Child(await program('contender'), store.file, 'hog', 'Infinity');
  const journal = await store.open({ maxWait: 10_000 });
  await hog.printed(1);
  hog.go();
  await hog.printed(50);
  let mine = 0;
  for (const before = hog.lines().length; mine < 20 || hog.lines().length < before + 20; mine++) {
    expect((await journal.append(main, { kind: 'rewind' }, { expectedLeaf: 'any' })).kind).toBe('appended');
    // Turn by turn would be 20 for 20: many times that is no turn any more.
    expect(mine).toBeLessThan(500);
  }
  await hog.kill();
  expect(hog.said()).toBe('');
  const kinds = (await branchOf(journal, main)).map(({ kind }) => kind);
  const theirs = kinds.slice(kinds.indexOf('rewind'), kinds.lastIndexOf('rewind')).filter((kind) => kind === 'message');
  expect(theirs.length).toBeLessThan(mine * 25);
});
