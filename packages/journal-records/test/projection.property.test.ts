import { anyDraft, anyInstructions, anyStartup } from '@codicil/arbitraries/conversations';
import { anyJournalCommands, checkSession, expectedProjection, JournalModel } from '@codicil/arbitraries/journal-model';
import {
  activeVersion,
  advance,
  createEntry,
  createMemoryJournal,
  createMemoryStore,
  type Draft,
  type EntryId,
  emptyProjection,
  type JournalEntry,
  projectBranch,
  sessionId,
} from '@codicil/journal-records';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const main = sessionId('main');

function branchFrom(drafts: readonly Draft[]): readonly JournalEntry[] {
  return drafts.map((draft, depth) => {
    const parentId = depth === 0 ? null : (`e${depth - 1}` as EntryId);
    return createEntry({ id: `e${depth}` as EntryId, parentId, sessionId: main, depth, at: depth }, draft);
  });
}

test('J3 a journal that is opened again shows what was lived through', async () => {
  await fc.assert(
    fc.asyncProperty(anyJournalCommands({ maxCommands: 40 }), async (commands) => {
      const store = createMemoryStore();
      const reopen = async () => createMemoryJournal({ store, snapshotEvery: 3 });
      const real = { journal: await reopen(), reopen };
      const model = new JournalModel();
      await fc.asyncModelRun(() => ({ model, real }), commands);
      for (const journal of [real.journal, await reopen()]) {
        for (const session of model.sessions.keys()) await checkSession(model, journal, session);
      }
    }),
  );
});

test('J3 folding a branch in one go, in either order, is folding it entry by entry', () => {
  fc.assert(
    fc.property(fc.array(anyDraft(), { maxLength: 30 }), (drafts) => {
      const branch = branchFrom(drafts);
      const lived = branch.reduce(advance, emptyProjection);
      expect(lived).toStrictEqual(expectedProjection(branch));
      expect(projectBranch(branch)).toStrictEqual(lived);
      expect(projectBranch(branch.toReversed())).toStrictEqual(lived);
    }),
  );
});

test('J3 a projection that was handed out does not change with later entries', () => {
  fc.assert(
    fc.property(fc.array(anyDraft(), { minLength: 1, maxLength: 20 }), (drafts) => {
      const branch = branchFrom(drafts);
      let projection = emptyProjection;
      const handedOut = branch.map((entry) => (projection = advance(projection, entry)));
      for (const [index, each] of handedOut.entries()) {
        expect(each).toStrictEqual(expectedProjection(branch.slice(0, index + 1)));
      }
    }),
  );
});

/** A branch with deliveries, then a compaction that keeps from `keep` on (its own place: nothing), then more deliveries. */
function anyCompaction() {
  return fc
    .record({
      startup: anyStartup(),
      before: fc.array(anyInstructions(), { minLength: 1, maxLength: 10 }),
      after: fc.array(anyInstructions(), { maxLength: 2 }),
      keep: fc.nat(),
      again: fc.boolean(),
    })
    .map(({ startup, before, after, keep, again }) => {
      const older = branchFrom([startup, ...before]);
      const depth = keep % (older.length + 1);
      const kept = older[depth];
      const keepFrom = kept === undefined ? null : { id: kept.id, depth };
      // A second compaction that would keep everything must not bring back what the first one dropped.
      const second: Draft = { kind: 'compaction', summary: '', keepFrom: { id: 'e0' as EntryId, depth: 0 } };
      const record: Draft = { kind: 'compaction', summary: '', keepFrom };
      return {
        branch: branchFrom([startup, ...before, record, ...(again ? [second] : []), ...after]),
        keptDepth: depth,
      };
    });
}

test('J4 a dropped record no longer counts, a kept one does, and the startup set always', () => {
  fc.assert(
    fc.property(anyCompaction(), ({ branch, keptDepth }) => {
      const projection = projectBranch(branch);
      const [first] = branch;
      const started = first?.kind === 'startup' ? first.modules : [];
      const paths = new Set(started.map(({ relPath }) => relPath));
      const latest = new Map<string, string | undefined>();
      for (const entry of branch) {
        if (entry.kind !== 'turn-context' || entry.context !== 'instructions') continue;
        const { instructions, removed } = entry.details;
        for (const { relPath } of [...instructions, ...removed]) paths.add(relPath);
        if (entry.depth < keptDepth) continue;
        for (const { relPath, sha256 } of instructions) latest.set(relPath, sha256);
        for (const { relPath } of removed) latest.set(relPath, undefined);
      }
      for (const path of paths) {
        const fallback = started.find(({ relPath }) => relPath === path)?.sha256;
        expect(activeVersion(projection, path)).toBe(latest.has(path) ? latest.get(path) : fallback);
      }
    }),
  );
});

test('J4 a cleared context holds nothing but the startup set', () => {
  fc.assert(
    fc.property(anyStartup(), fc.array(anyDraft(), { maxLength: 15 }), (startup, drafts) => {
      const others = drafts.filter(({ kind }) => kind !== 'startup');
      const projection = projectBranch(branchFrom([startup, ...others, { kind: 'context-cleared' }]));
      expect(projection.delivered.size).toBe(0);
      expect(projection.pendingTouches).toEqual([]);
      expect(projection.openToolCalls).toEqual([]);
      for (const { relPath, sha256 } of startup.modules) expect(activeVersion(projection, relPath)).toBe(sha256);
    }),
  );
});
