import type { Account, Scope, SessionKind, SessionRow } from '@codicil/delegation-scope';
import { proveScope } from '@codicil/delegation-scope';
import fc from 'fast-check';

export type Forest = ReadonlyMap<string, SessionRow>;

const ids = ['s0', 's1', 's2', 's3', 's4', 's5'];
const id = (): fc.Arbitrary<string> => fc.constantFrom(...ids);
const kind = (): fc.Arbitrary<SessionKind> =>
  fc.constantFrom('conversation', 'subagent', 'subagent', 'fork', 'shared', 'scheduled');

export const anyRow = (own: fc.Arbitrary<string> = id()): fc.Arbitrary<SessionRow> =>
  fc.record({
    id: own,
    parentId: fc.option(id()),
    accountId: fc.constantFrom('me', 'me', 'me', 'other'),
    kind: kind(),
    projectId: fc.option(fc.constantFrom('p', 'q')),
  });

/** Rows in any state: whole chains, cycles, orphans, foreign and missing rows. */
export const anyForest = (): fc.Arbitrary<Forest> =>
  fc.oneof(
    fc.array(anyRow(), { maxLength: 6 }).map((rows) => new Map(rows.map((row) => [row.id, row]))),
    wholeChain(),
  );

/** A chain as a healthy store holds it, at times with one row changed. */
function wholeChain(): fc.Arbitrary<Forest> {
  const change = fc.option(anyRow(), { nil: undefined });
  return fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom<SessionKind>('conversation', 'shared', 'scheduled'), change)
    .map(([length, root, changed]) => {
      const forest = new Map<string, SessionRow>();
      for (let index = 0; index < length; index++) {
        const isRoot = index === length - 1;
        const row = {
          id: `s${index}`,
          parentId: isRoot ? null : `s${index + 1}`,
          accountId: 'me',
          kind: isRoot ? root : 'subagent',
          projectId: 'p',
        } as const;
        forest.set(row.id, row);
      }
      if (changed !== undefined) forest.set(changed.id, changed);
      return forest;
    });
}

export const anyAccount = (): fc.Arbitrary<Account> =>
  fc.record({
    id: fc.constantFrom('me', 'me', 'other'),
    kind: fc.constantFrom('administrator', 'administrator', 'chatbot', 'other'),
  });

/** The verdict on `s0`, and the rows that were read for it. */
export async function judge(
  forest: Forest,
  account: Account,
  admitted: readonly string[] = ['p'],
): Promise<{ scope: Scope; asked: readonly string[] }> {
  const asked: string[] = [];
  const scope = await proveScope({
    sessionId: 's0',
    account,
    row(session) {
      asked.push(session);
      return forest.get(session);
    },
    admitsProject: (project) => admitted.includes(project),
  });
  return { scope, asked };
}
