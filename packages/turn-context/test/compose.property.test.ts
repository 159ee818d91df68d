import { anyDraft, anyMessage, anyStartup } from '@codicil/arbitraries/conversations';
import {
  createEntry,
  createMemoryJournal,
  type Draft,
  type EntryId,
  type JournalEntry,
  projectBranch,
  sessionId,
} from '@codicil/journal-records';
import {
  assertSendable,
  composeFromJournal,
  composeRequest,
  isTurnContextError,
  type ProviderRequest,
} from '@codicil/turn-context';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const main = sessionId('main');

function branchFrom(drafts: readonly Draft[]): readonly JournalEntry[] {
  return drafts.map((draft, depth) => {
    const parentId = depth === 0 ? null : (`e${depth - 1}` as EntryId);
    return createEntry({ id: `e${depth}` as EntryId, parentId, sessionId: main, depth, at: depth }, draft);
  });
}

/** The request, or `undefined` where context stands between a call and its result. */
function composed(branch: readonly JournalEntry[]): ProviderRequest | undefined {
  try {
    return composeRequest(branch);
  } catch (error) {
    if (isTurnContextError(error)) return undefined;
    throw error;
  }
}

/** A conversation in which each call is answered in its turn, with everything else in between the turns. */
function anyOrderlyDrafts(): fc.Arbitrary<readonly Draft[]> {
  const turn = fc.tuple(anyDraft(), anyMessage()).map(([between, message]): readonly Draft[] => {
    if (message.role === 'tool') return [];
    if (message.role === 'user') return [message];
    const results = message.toolCalls.map(
      ({ id }): Draft => ({
        kind: 'message',
        role: 'tool',
        toolCallId: id,
        text: id,
        isError: false,
        details: undefined,
      }),
    );
    const isLoose = between.kind === 'message' && between.role !== 'user';
    return [message, ...results, ...(isLoose ? [] : [between])];
  });
  return fc.array(turn, { maxLength: 15 }).map((turns) => turns.flat());
}

const isCut = ({ kind }: Draft): boolean => kind === 'compaction' || kind === 'context-cleared' || kind === 'startup';

test('an earlier request is a byte prefix of the next while nothing is compacted, cleared or rewound', () => {
  fc.assert(
    fc.property(anyStartup(), anyOrderlyDrafts(), fc.nat(), (startup, drafts, at) => {
      const branch = branchFrom([startup, ...drafts.filter((draft) => !isCut(draft))]);
      const earlier = composed(branch.slice(0, 1 + (at % branch.length)));
      const later = composed(branch);
      expect(later).toBeDefined();
      if (earlier === undefined || later === undefined) return;
      expect(later.system).toBe(earlier.system);
      const bytes = (request: ProviderRequest) => JSON.stringify(request.messages).slice(0, -1);
      expect(bytes(later).startsWith(bytes(earlier))).toBe(true);
    }),
  );
});

test('a request that may be sent has each result directly after its call, and nothing between them', () => {
  fc.assert(
    fc.property(fc.array(anyDraft(), { maxLength: 20 }), (drafts) => {
      const request = composed(branchFrom(drafts));
      if (request === undefined || request.openToolCalls.length + request.strayResults.length > 0) return;
      assertSendable(request);
      const rest = [...request.messages];
      for (let message = rest.shift(); message !== undefined; message = rest.shift()) {
        expect(message.role).not.toBe('tool');
        const calls = new Set(message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : []);
        while (calls.size > 0) {
          const result = rest.shift();
          expect(result?.role === 'tool' && calls.delete(result.toolCallId)).toBe(true);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a conversation whose calls are answered in their turn may always be sent', () => {
  fc.assert(
    fc.property(anyOrderlyDrafts(), (drafts) => {
      const request = composed(branchFrom(drafts));
      expect(request).toBeDefined();
      if (request !== undefined) assertSendable(request);
    }),
  );
});

test('calls are open in the request when they are in the projection', () => {
  fc.assert(
    fc.property(anyOrderlyDrafts(), anyMessage(), (drafts, message) => {
      const branch = branchFrom([...drafts, message]);
      expect(composed(branch)?.openToolCalls).toEqual(projectBranch(branch).openToolCalls);
    }),
  );
});

test('neither the order in which a branch is given nor what was cut off it changes the request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDraft(), { maxLength: 20 }), async (drafts) => {
      const journal = createMemoryJournal();
      for (const draft of drafts) await journal.append(main, draft, { expectedLeaf: 'any' });
      const branch: JournalEntry[] = [];
      for await (const entry of journal.branch(main)) branch.push(entry);
      const request = composed(branch);
      expect(composed(branch.toReversed())).toEqual(request);
      if (request !== undefined) expect(await composeFromJournal(journal, main)).toEqual(request);
    }),
  );
});
