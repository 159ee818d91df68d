import { expect, test } from 'vitest';
import { said } from './fake-terminal.ts';
import { projectIn } from './lay-down.ts';

test.each([
  ['agents.md', 'agents.md'],
  ['AGENTS.mdc', 'AGENTS.mdc'],
  ['AGENTS.txt', 'AGENTS.txt'],
  ['AGENT.md', 'AGENT.md'],
  ['.elowen/Rules/a.md', '.elowen/Rules'],
  ['.elowen/rules/a.mdc', '.elowen/rules/a.mdc'],
  ['.elowen/rules/a.txt', '.elowen/rules/a.txt'],
  ['.cursor/rules/a.mdc', '.cursor/rules'],
  ['.cursorrules', '.cursorrules'],
  ['.claude/rules/a.md', '.claude/rules'],
  ['GEMINI.md', 'GEMINI.md'],
  ['.github/copilot-instructions.md', '.github/copilot-instructions.md'],
  ['.github/instructions/a.instructions.md', '.github/instructions'],
  ['.clinerules', '.clinerules'],
  ['.clinerules/a.md', '.clinerules'],
  ['.windsurfrules', '.windsurfrules'],
])('other files: a project that has only %s is told that %s is not read, and what to do', async (path, told) => {
  const { root, remove } = projectIn([
    { path, text: 'x\n' },
    { path: 'a.ts', text: '' },
  ]);
  try {
    for (const args of [['explain'], ['explain', 'a.ts'], ['check']]) {
      const { out } = await said([...args, '--root', root]);
      expect(out).toContain('This project has no instruction modules. What was found is not read:\n');
      expect(out).toMatch(new RegExp(`^  ${told.replaceAll('.', '\\.')}: (move|rename) `, 'm'));
    }
    const { otherFiles } = JSON.parse((await said(['explain', '--root', root, '--json'])).out);
    expect(otherFiles.map((found: { path: string }) => found.path)).toEqual([told]);
  } finally {
    remove();
  }
});

test('other files: a project with nothing is told how to begin, and one with modules is told nothing', async () => {
  const empty = projectIn([{ path: 'a.ts', text: '' }]);
  expect((await said(['explain', '--root', empty.root])).out).toContain('Write an AGENTS.md at its root');
  empty.remove();
  const used = projectIn([
    { path: 'CLAUDE.md', text: 'x\n' },
    { path: '.cursorrules', text: 'x\n' },
  ]);
  expect((await said(['explain', '--root', used.root])).out).not.toContain('no instruction modules');
  used.remove();
});
