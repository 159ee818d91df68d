import { createMemoryJournal, createMemoryStore, type MemoryStore, sessionId } from '@codicil/journal-records';
import { openSession, type SentRequest, type Session } from '@codicil/session';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RULE, Stage } from './stage.ts';

const PROJECT = { 'AGENTS.md': 'root\n', '.elowen/rules/src.md': RULE, 'src/AGENTS.md': 'nested\n', 'src/a.ts': '' };

type Act = readonly [name: string, act: (stage: Stage) => Promise<unknown>];

const acts: readonly Act[] = [
  ['prompt', (stage) => stage.session.prompt('go')],
  ['touch', (stage) => stage.touch('src/a.ts')],
  ['touch elsewhere', (stage) => stage.touch('docs/a.md')],
  ['request', (stage) => stage.session.request()],
  ['request', (stage) => stage.session.request()],
  ['touch and request', (stage) => stage.touchAndSend('src/a.ts')],
  ['edit', async (stage) => stage.source.tree.write('.elowen/rules/src.md', RULE.replace('rules of', 'new rules of'))],
  ['edit back', async (stage) => stage.source.tree.write('.elowen/rules/src.md', RULE)],
  ['delete', async (stage) => stage.source.tree.remove('src/AGENTS.md')],
  ['compact', (stage) => stage.session.compact({ summary: 'so far', keepRequests: 0 })],
  ['compact and keep', (stage) => stage.session.compact({ summary: 'so far', keepRequests: 1 })],
  ['clear', (stage) => stage.session.clear()],
  ['rewind', async (stage) => stage.session.rewind(Math.min(1, (await stage.session.projection()).requests))],
  ['restart', (stage) => stage.restart()],
];

/** What the next request would be, tried on a copy of the store. */
async function nextRequest(stage: Stage, store: MemoryStore, id: string): Promise<unknown> {
  const session: Session = await openSession({
    journal: createMemoryJournal({ store }),
    resolver: stage.resolver,
    sessionId: sessionId(id),
  });
  return told(await session.request());
}

function told({ number, request, delivery }: SentRequest): unknown {
  const messages = request.messages.map(({ entryId: _, ...message }) => message);
  return { number, system: request.system, messages, delivery: delivery.kind };
}

test('J3 a restart or a fork after any step sends the request that the living session would have sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...acts), { maxLength: 16, size: 'max' }), async (steps) => {
      const stage = await Stage.open(PROJECT);
      for (const [name, act] of steps) {
        // A branch that was compacted or cleared may have no such request to go back to.
        await act(stage).catch((error: unknown) => {
          if (name !== 'rewind') throw error;
        });
        const { leaf } = await stage.session.projection();
        if (leaf === null) throw new Error('a session that was started has a leaf');
        const forkedIn = createMemoryStore(stage.store);
        await createMemoryJournal({ store: forkedIn }).fork(stage.session.id, leaf, sessionId('child'));
        const restored = await nextRequest(stage, createMemoryStore(stage.store), stage.session.id);
        expect(await nextRequest(stage, forkedIn, 'child')).toEqual(restored);
        if (name === 'request') expect(restored).toMatchObject({ delivery: 'nothing' });
      }
      const restored = await nextRequest(stage, createMemoryStore(stage.store), stage.session.id);
      expect(told(await stage.session.request())).toEqual(restored);
    }),
    { numRuns: 60 },
  );
});
