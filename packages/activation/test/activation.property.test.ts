import type { Delivery } from '@codicil/activation';
import { expect, test } from 'vitest';
import { assertConversations, hashOf, type Real, SESSION, versionsSeen } from './conversation-model.ts';

/** The modules that a touch calls for: those whose folder holds it, read straight from the world. */
function matching(real: Real, touches: readonly string[]): readonly (readonly [path: string, text: string])[] {
  return [...real.world.texts].filter(
    ([path]) =>
      !real.world.silent.has(path) && touches.some((touch) => touch.startsWith(path.replace('AGENTS.md', ''))),
  );
}

const instructionRecords = (branch: readonly { readonly kind: string }[]): number =>
  branch.filter(({ kind }) => kind === 'turn-context').length;

/** More entries than a step of a conversation appends. */
const NEW_ENTRIES = 20;

test('A1 along the active branch no record brings the version of a path that is active already', async () => {
  await assertConversations({
    always(_real, branch) {
      for (const [index, entry] of branch.entries()) {
        if (index < branch.length - NEW_ENTRIES) continue;
        if (entry.kind !== 'turn-context' || entry.context !== 'instructions') continue;
        const seen = versionsSeen(branch.slice(0, index));
        for (const { relPath, sha256 } of entry.details.instructions)
          expect(seen.get(relPath)?.at(-1)).not.toBe(sha256);
        for (const { relPath } of entry.details.removed) expect(seen.get(relPath)?.at(-1)).not.toBe(null);
      }
    },
  });
});

test('A2 a delivery appends one record when something is new, and none otherwise, from however many processes', async () => {
  await assertConversations({
    afterDelivery({ real, kinds, asked, before, after }) {
      if (kinds.some((kind) => kind !== 'nothing' && kind !== 'appended')) return;
      const seen = versionsSeen(before);
      const latest = (path: string): string | null | undefined => seen.get(path)?.at(-1);
      const isNew = matching(real, asked).some(([path, text]) => latest(path) !== hashOf(text));
      const isGone = [...seen.keys()].some(
        (path) => typeof latest(path) === 'string' && !real.world.texts.has(path) && !real.world.silent.has(path),
      );
      const appended = instructionRecords(after) - instructionRecords(before);
      expect(kinds.filter((kind) => kind === 'appended').length).toBe(appended);
      expect(appended).toBe(asked.length > 0 && (isNew || isGone) ? 1 : 0);
    },
  });
});

test('A3 no touch is lost, and none comes back: what waits is what no delivery has settled, in every process', async () => {
  await assertConversations({
    async always(real, _branch, model) {
      const expected = [...model.unsettled].sort();
      for (const { activation } of real.processes) expect([...(await activation.waiting())].sort()).toEqual(expected);
    },
  });
});

test('A4 after a delivery each matching module is active in its current version', async () => {
  await assertConversations({
    afterDelivery({ real, kinds, asked, after }) {
      if (kinds.some((kind) => kind !== 'nothing' && kind !== 'appended')) return;
      const seen = versionsSeen(after);
      for (const [path, text] of matching(real, asked)) expect(seen.get(path)?.at(-1)).toBe(hashOf(text));
    },
  });
});

test('A7 what was given back is delivered again, and what was confirmed is not', async () => {
  await assertConversations({
    async always(real, branch, model) {
      const { journal } = real.process(0);
      const projection = await journal.projection(SESSION);
      expect([...projection.pendingTouches].sort()).toEqual([...model.unsettled].sort());
      for (const [path, versions] of versionsSeen(branch)) {
        expect(projection.delivered.get(path)?.sha256 ?? null).toBe(versions.at(-1) ?? null);
      }
    },
  });
});

test('J3 a restart and a fork wait for the same touches and deliver the same, after every step', async () => {
  await assertConversations(
    {
      async always(real) {
        const lived = real.process(0);
        const waiting = await lived.activation.waiting();
        const projection = await lived.journal.projection(SESSION);
        const [restored, forked] = [await real.restored(), await real.forked()];
        expect(await restored.journal.projection(SESSION)).toEqual(projection);
        expect(await restored.activation.waiting()).toEqual(waiting);
        expect(await forked.activation.waiting()).toEqual(waiting);
        expect(outcomeOf(await forked.activation.deliver())).toEqual(outcomeOf(await restored.activation.deliver()));
      },
    },
    60,
  );
});

function outcomeOf(delivery: Delivery): unknown {
  if (delivery.kind !== 'appended') return delivery.kind;
  const { id: _id, sessionId: _session, parentId: _parent, at: _at, ...record } = delivery.entry;
  return record;
}

test('A5 no record stands between a tool call and its result', async () => {
  await assertConversations({
    always(_real, branch) {
      let open: string[] = [];
      for (const entry of branch) {
        if (entry.kind === 'context-cleared') open = [];
        if (entry.kind === 'turn-context') expect(open).toEqual([]);
        if (entry.kind !== 'message') continue;
        if (entry.role === 'assistant') open = entry.toolCalls.map(({ id }) => id);
        if (entry.role === 'tool') open = open.filter((id) => id !== entry.toolCallId);
      }
    },
  });
});
