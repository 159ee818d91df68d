import { expect, test } from 'vitest';
import { assertConversations, hashOf, type Real, versionsSeen } from './conversation-model.ts';

/** The modules that a touch calls for: those whose folder holds it, read straight from the world. */
function matching(real: Real, touches: readonly string[]): readonly (readonly [path: string, text: string])[] {
  return [...real.world.texts].filter(
    ([path]) =>
      !real.world.silent.has(path) && touches.some((touch) => touch.startsWith(path.replace('AGENTS.md', ''))),
  );
}

const instructionRecords = (branch: readonly { readonly kind: string }[]): number =>
  branch.filter(({ kind }) => kind === 'turn-context').length;

test('A1 along the active branch no two consecutive records for one path carry the same hash', async () => {
  await assertConversations({
    always(_real, branch) {
      for (const versions of versionsSeen(branch).values()) {
        for (const [index, version] of versions.entries())
          expect(index > 0 && version === versions[index - 1]).toBe(false);
      }
    },
  });
});

test('A2 a delivery appends one record when something is new, and none otherwise', async () => {
  await assertConversations({
    afterDelivery({ real, kinds, asked, sameTouches, before, after }) {
      if (kinds.some((kind) => kind !== 'nothing' && kind !== 'appended')) return;
      const seen = versionsSeen(before);
      const latest = (path: string): string | null | undefined => seen.get(path)?.at(-1);
      const isNew = matching(real, asked).some(([path, text]) => latest(path) !== hashOf(text));
      const isGone = [...seen.keys()].some(
        (path) => typeof latest(path) === 'string' && !real.world.texts.has(path) && !real.world.silent.has(path),
      );
      const least = asked.length > 0 && (isNew || isGone) ? 1 : 0;
      const appended = instructionRecords(after) - instructionRecords(before);
      expect(kinds.filter((kind) => kind === 'appended').length).toBe(appended);
      expect(appended).toBeGreaterThanOrEqual(least);
      // Two deliveries of the same touches are one record; of different touches, one each at most.
      expect(appended).toBeLessThanOrEqual(sameTouches ? least : least * kinds.length);
    },
  });
});

test('A3 no touch is lost: it waits until a delivery has settled it, through failures, crashes and restarts', async () => {
  await assertConversations({
    afterDelivery({ real, kinds, settled }) {
      if (kinds[0] === 'failed' || kinds[0] === 'deferred') {
        for (const path of settled) expect(real.activation.queued()).toContain(path);
      }
    },
    afterRestart(real, model) {
      for (const path of model.unsettled) expect(real.activation.queued()).toContain(path);
    },
  });
});

test('A4 after a delivery each matching module is active in its current version', async () => {
  await assertConversations({
    afterDelivery({ real, kinds, settled, after }) {
      if (kinds.some((kind) => kind !== 'nothing' && kind !== 'appended')) return;
      const seen = versionsSeen(after);
      for (const [path, text] of matching(real, settled)) expect(seen.get(path)?.at(-1)).toBe(hashOf(text));
    },
  });
});

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
