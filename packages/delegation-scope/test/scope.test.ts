import { MAX_CHAIN, proveScope, type SessionRow } from '@codicil/delegation-scope';
import { expect, test } from 'vitest';

const admin = { id: 'me', kind: 'administrator' } as const;
const bot = { id: 'me', kind: 'chatbot' } as const;

const row = (id: string, change: Partial<SessionRow> = {}): SessionRow => ({
  id,
  parentId: null,
  accountId: 'me',
  kind: 'conversation',
  projectId: null,
  ...change,
});

function scope(account: typeof admin | typeof bot, ...rows: readonly SessionRow[]) {
  const store = new Map(rows.map((each) => [each.id, each]));
  return proveScope({
    sessionId: rows[0]?.id ?? '',
    account,
    row: (id) => store.get(id),
    admitsProject: (project) => project === 'p',
  });
}

test('a conversation of one’s own has the scope, and so have its delegates, however deep', async () => {
  expect(await scope(admin, row('a'))).toMatchObject({ kind: 'granted', extent: 'project', root: 'a' });
  const deep = [row('c', { kind: 'subagent', parentId: 'b' }), row('b', { kind: 'fork', parentId: 'a' }), row('a')];
  expect(await scope(admin, ...deep)).toEqual({
    kind: 'granted',
    extent: 'project',
    root: 'a',
    chain: ['c', 'b', 'a'],
  });
});

test.each([
  ['a missing row', [row('c', { kind: 'subagent', parentId: 'b' })], { reason: 'missing_row', at: 'b' }],
  [
    'a foreign row in the middle',
    [
      row('c', { kind: 'subagent', parentId: 'b' }),
      row('b', { kind: 'subagent', parentId: 'a', accountId: 'x' }),
      row('a'),
    ],
    { reason: 'foreign_row', at: 'b' },
  ],
  ['an orphan', [row('c', { kind: 'subagent' })], { reason: 'orphan', at: 'c' }],
  [
    'a cycle',
    [row('c', { kind: 'subagent', parentId: 'b' }), row('b', { kind: 'subagent', parentId: 'c' })],
    { reason: 'cycle', at: 'c' },
  ],
  [
    'a shared room',
    [row('c', { kind: 'subagent', parentId: 'a' }), row('a', { kind: 'shared' })],
    { reason: 'shared', at: 'a' },
  ],
  [
    'a timer',
    [row('c', { kind: 'subagent', parentId: 'a' }), row('a', { kind: 'scheduled' })],
    { reason: 'scheduled_root', at: 'a' },
  ],
  [
    'a conversation that claims a parent',
    [row('c', { parentId: 'a' }), row('a')],
    { reason: 'malformed_row', at: 'c' },
  ],
])('%s on the chain refuses the scope, and is named', async (_, rows, expected) => {
  expect(await scope(admin, ...rows)).toEqual({ kind: 'refused', ...expected });
});

test('a scheduled turn that is delivered into a conversation keeps its scope', async () => {
  expect(await scope(admin, row('t', { kind: 'scheduled', parentId: 'a' }), row('a'))).toMatchObject({
    kind: 'granted',
    root: 'a',
  });
});

test('a chatbot gets the project that its own session is bound to, if its policy admits it, and nothing by inheritance', async () => {
  expect(await scope(bot, row('a', { kind: 'shared', projectId: 'p' }))).toMatchObject({
    extent: 'bound-project',
    projectId: 'p',
  });
  expect(await scope(bot, row('a', { kind: 'shared', projectId: 'q' }))).toMatchObject({
    reason: 'project_not_admitted',
  });
  const child = [row('c', { kind: 'subagent', parentId: 'a' }), row('a', { kind: 'shared', projectId: 'p' })];
  expect(await scope(bot, ...child)).toMatchObject({ reason: 'unbound' });
});

test('the walk is bounded', async () => {
  const endless = await proveScope({
    sessionId: '0',
    account: admin,
    row: (id) => row(id, { kind: 'subagent', parentId: String(Number(id) + 1) }),
    admitsProject: () => true,
  });
  expect(endless).toEqual({ kind: 'refused', reason: 'too_deep', at: String(MAX_CHAIN) });
});

test('a row of a kind that nobody knows proves nothing, at the root and on the way', async () => {
  for (const name of ['shared-channel', 'toString', '']) {
    const kind: SessionRow['kind'] = JSON.parse(JSON.stringify(name));
    for (const account of [admin, bot]) {
      const refusal = { kind: 'refused', reason: 'unknown_kind', at: 'x' };
      expect(await scope(account, row('x', { kind, projectId: 'p' }))).toEqual(refusal);
      expect(await scope(account, row('x', { kind, projectId: 'p', parentId: 'a' }), row('a'))).toEqual(refusal);
    }
  }
});

test('an account of a kind that nobody knows has no scope', async () => {
  const account: typeof admin = { ...admin, kind: JSON.parse('"owner"') };
  expect(await scope(account, row('a'))).toEqual({ kind: 'refused', reason: 'account_without_scope', at: 'a' });
});
