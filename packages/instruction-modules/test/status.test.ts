import { defaultLayout } from '@codicil/instruction-modules';
import { expect, test } from 'vitest';
import { files, projectOf, rule } from './over.ts';

test('a rule is current while it can be read, whether or not its globs still match', async () => {
  const { resolver, source } = projectOf(files({ '.elowen/rules/a.md': rule(['src/**']), '.elowen/rules/b.md': 'b' }));
  const paths = ['.elowen/rules/a.md', '.elowen/rules/b.md'];
  expect(await resolver.status(paths)).toEqual([{ kind: 'current' }, { kind: 'current' }]);
  source.tree.write('.elowen/rules/a.md', rule(['other/**']));
  expect(await resolver.status(paths)).toEqual([{ kind: 'current' }, { kind: 'current' }]);
});

test('a rule that became invalid, unreadable or a link outside is unknown', async () => {
  const { resolver, source } = projectOf(
    files({ '../o.md': 'o', '.elowen/rules/a.md': 'a', '.elowen/rules/b.md': 'b', '.elowen/rules/c.md': 'c' }),
  );
  source.tree.write('.elowen/rules/a.md', '---\npaths: x\n---\n');
  source.tree.chmod('.elowen/rules/b.md', 0);
  source.tree.remove('.elowen/rules/c.md');
  source.tree.symlink('.elowen/rules/c.md', '../../../o.md');
  const statuses = await resolver.status(['.elowen/rules/a.md', '.elowen/rules/b.md', '.elowen/rules/c.md']);
  expect(statuses).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' }]);
});

test('a removed module is absent, one whose place cannot be looked at is unknown', async () => {
  const { resolver, source } = projectOf(files({ '.elowen/rules/a.md': 'a', 'src/AGENTS.md': 's', 'AGENTS.md': 'r' }));
  const paths = ['.elowen/rules/a.md', 'src/AGENTS.md', 'AGENTS.md'];
  source.faults.vanish();
  expect(await resolver.status(paths)).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' }]);
  source.faults.reappear();
  for (const path of paths) source.tree.remove(path);
  expect(await resolver.status(paths)).toEqual([{ kind: 'absent' }, { kind: 'absent' }, { kind: 'absent' }]);
  source.tree.mkdir('src');
  source.tree.chmod('src', 0);
  expect(await resolver.status(['src/AGENTS.md'])).toEqual([{ kind: 'unknown' }]);
});

test('a nested file beside a better candidate is shadowed by it, beside a worse one it is current', async () => {
  const { resolver } = projectOf(files({ 'a/AGENTS.md': 'a', 'a/AGENTS.override.md': 'o', 'a/CLAUDE.md': 'c' }));
  expect(await resolver.status(['a/AGENTS.md', 'a/AGENTS.override.md', 'a/CLAUDE.md', 'a/AGENTS.MD'])).toEqual([
    { kind: 'shadowed', by: 'a/AGENTS.override.md' },
    { kind: 'current' },
    { kind: 'shadowed', by: 'a/AGENTS.override.md' },
    { kind: 'shadowed', by: 'a/AGENTS.override.md' },
  ]);
});

test('a better candidate that may not be used proves nothing', async () => {
  const { resolver } = projectOf([
    ...files({ 'a/AGENTS.md': 'a' }),
    { path: 'a/AGENTS.override.md', bytes: new Uint8Array([0xff]) },
  ]);
  expect(await resolver.status(['a/AGENTS.md', 'a/AGENTS.override.md'])).toEqual([
    { kind: 'unknown' },
    { kind: 'unknown' },
  ]);
});

test('a removed nested file is absent although a worse candidate took over', async () => {
  const { resolver } = projectOf(files({ 'a/CLAUDE.md': 'c' }));
  expect(await resolver.status(['a/AGENTS.md'])).toEqual([{ kind: 'absent' }]);
});

test('what the layout does not read, and what lies behind a border, no longer applies', async () => {
  const { resolver } = projectOf(
    files({ 'old/rules/a.md': 'a', 'node_modules/x/AGENTS.md': 'n', 'c/.git/HEAD': 'x', 'c/AGENTS.md': 'c' }),
  );
  const statuses = await resolver.status(['old/rules/a.md', 'node_modules/x/AGENTS.md', 'c/AGENTS.md', 'no//path']);
  expect(statuses).toEqual([{ kind: 'absent' }, { kind: 'absent' }, { kind: 'absent' }, { kind: 'absent' }]);
});

test('a rule below a linked folder is unknown, a linked rule is current', async () => {
  const { resolver } = projectOf([
    ...files({ 'r/a.md': 'a', 's/b.md': 'b' }),
    { path: '.elowen/rules/sub', symlink: '../../r' },
    { path: '.elowen/rules/b.md', symlink: '../../s/b.md' },
  ]);
  expect(await resolver.status(['.elowen/rules/sub/a.md', '.elowen/rules/b.md'])).toEqual([
    { kind: 'unknown' },
    { kind: 'current' },
  ]);
});

test('a file in the rules tree that is named like a nested file is a rule', async () => {
  const { resolver } = projectOf(files({ '.elowen/rules/AGENTS.md': rule(['never/**']) }));
  expect(await resolver.status(['.elowen/rules/AGENTS.md'])).toEqual([{ kind: 'current' }]);
});

test('an oversized file is unknown', async () => {
  const { resolver } = projectOf([{ path: '.elowen/rules/a.md', text: 'x'.repeat(defaultLayout.maxFileBytes + 1) }]);
  expect(await resolver.status(['.elowen/rules/a.md'])).toEqual([{ kind: 'unknown' }]);
});
