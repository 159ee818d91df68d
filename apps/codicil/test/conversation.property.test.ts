import { hash } from 'node:crypto';
import { parseInstructions } from '@codicil/activation';
import { anyEdit, anyTouches, anyTree } from '@codicil/arbitraries/trees';
import { createMemorySource, type TreeEdit, type TreeSpec } from '@codicil/file-source';
import { createInstructionResolver } from '@codicil/instruction-modules';
import { createMemoryJournal, createMemoryStore, sessionId } from '@codicil/journal-records';
import { openSession, type SentRequest } from '@codicil/session';
import fc from 'fast-check';
import { expect, test } from 'vitest';

type Step =
  | { readonly kind: 'touch'; readonly paths: readonly string[] }
  | { readonly kind: 'edit'; readonly edit: TreeEdit }
  | { readonly kind: 'restart' }
  | { readonly kind: 'compact' }
  | { readonly kind: 'clear' };

const anyConversation = (): fc.Arbitrary<{ readonly tree: TreeSpec; readonly steps: readonly Step[] }> =>
  anyTree().chain((tree) => {
    const touch = anyTouches(tree).map((paths): Step => ({ kind: 'touch', paths }));
    const edit = anyEdit(tree).map((change): Step => ({ kind: 'edit', edit: change }));
    const other = fc.constantFrom<Step>({ kind: 'restart' }, { kind: 'compact' }, { kind: 'clear' });
    const step = fc.oneof(
      { weight: 4, arbitrary: touch },
      { weight: 3, arbitrary: edit },
      { weight: 1, arbitrary: other },
    );
    return fc.record({ tree: fc.constant(tree), steps: fc.array(step, { minLength: 1, maxLength: 12 }) });
  });

/** Plays a conversation, whole packages together, and lets a judge look at each request. */
async function play(
  { tree, steps }: { readonly tree: TreeSpec; readonly steps: readonly Step[] },
  judge: (
    sent: SentRequest,
    touched: readonly string[],
    source: ReturnType<typeof createMemorySource>,
  ) => Promise<void> | void,
): Promise<void> {
  const source = createMemorySource(tree);
  const store = createMemoryStore();
  const resolver = createInstructionResolver(source);
  const open = () => openSession({ journal: createMemoryJournal({ store }), resolver, sessionId: sessionId('main') });
  let session = await open();
  await session.start();
  let calls = 0;
  for (const step of steps) {
    if (step.kind === 'edit') source.tree.apply(step.edit);
    else if (step.kind === 'restart') session = await open();
    else if (step.kind === 'compact') await session.compact({ summary: 'so far', keepRequests: 1 });
    else if (step.kind === 'clear') await session.clear();
    else {
      const toolCalls = step.paths.map((path) => ({ id: `call-${++calls}`, name: 'read', input: { path } }));
      await session.answer({ text: '', toolCalls });
      for (const [index, path] of step.paths.entries()) {
        const toolCallId = toolCalls[index]?.id ?? '';
        await session.toolResult({ toolCallId, text: '', isError: false, details: { fileAccess: { path } } });
      }
      await judge(await session.request(), step.paths, source);
    }
  }
}

interface Seen {
  readonly relPath: string;
  /** `undefined` for a tombstone. */
  readonly sha256: string | undefined;
}

/** Every module text in a request, in order, hashed from what the model reads. */
function seenIn({ request }: SentRequest): readonly Seen[] {
  const texts = [
    request.system,
    ...request.messages.filter(({ kind }) => kind === 'instructions').map(({ text }) => text),
  ];
  return texts.flatMap(parseInstructions).map((item) => ({
    relPath: item.relPath,
    sha256: item.kind === 'module' ? hash('sha256', item.content) : undefined,
  }));
}

test('A1 no request says the same version of a module twice in a row', async () => {
  await fc.assert(
    fc.asyncProperty(anyConversation(), (conversation) =>
      play(conversation, (sent) => {
        const latest = new Map<string, string | undefined>();
        for (const { relPath, sha256 } of seenIn(sent)) {
          expect([relPath, sha256, latest.has(relPath) && latest.get(relPath) === sha256]).toEqual([
            relPath,
            sha256,
            false,
          ]);
          latest.set(relPath, sha256);
        }
      }),
    ),
  );
});

test('A4 after a touch the request holds each matching module whole, as it is on the disk', async () => {
  await fc.assert(
    fc.asyncProperty(anyConversation(), (conversation) =>
      play(conversation, async (sent, touched, source) => {
        const latest = new Map(seenIn(sent).map(({ relPath, sha256 }) => [relPath, sha256]));
        const fresh = createInstructionResolver(source, { cache: false });
        for (const { relPath, sha256 } of (await fresh.forPaths(touched)).modules)
          expect(latest.get(relPath)).toBe(sha256);
      }),
    ),
  );
});
