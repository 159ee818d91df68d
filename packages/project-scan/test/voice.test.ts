import { voiceFaults } from '@codicil/arbitraries/voice';
import { DIAGNOSTIC_CODES, type Diagnostic } from '@codicil/diagnostics';
import { createMemorySource, sourceRefusals, type TreeSpec } from '@codicil/file-source';
import { createInstructionResolver } from '@codicil/instruction-modules';
import { scanProject } from '@codicil/project-scan';
import { expect, test } from 'vitest';

const RULES = '.elowen/rules';
const globs = (...list: readonly string[]): string => `---\npaths: ${JSON.stringify(list)}\n---\nx\n`;

/** A rule a fault; several where one code has several messages. */
const TEXTS: readonly string[] = [
  '---\npaths: [a]\n',
  '\n---\npaths: [a]\n---\n',
  '--- # x\npaths: [a]\n---\n',
  '<<<<<<< a\n---\npaths: [a]\n---\n',
  '---\n<<<<<<< a\npaths: [a]\n---\n',
  '---\npaths:\n\t- a\n---\n',
  '---\npaths: "\\q"\n---\n',
  '---\npaths: [@x]\n---\n',
  '---\npaths: {a}b\n---\n',
  '---\npaths: - a - b\n---\n',
  '---\npaths:\n  - "a" b\n---\n',
  '---\npaths: [!a "b"]\n---\n',
  '---\npaths: "a"\r# x\n---\n',
  '---\npaths: [a]\n...\n---\n',
  '---\npaths: [a\n---\n',
  '---\npaths:\n  a: b\n c: d\n---\n',
  '---\n%x\npaths: [a]\n---\n',
  `---\npaths: ${'['.repeat(40)}\n---\n`,
  '---\npaths: [*a, &b c, "x"]\n<<: a\n---\n',
  '---\npaths: [a]\npaths: [b]\n---\n',
  '---\n- a\n---\n',
  '---\nprose\n---\n',
  '---\npaths:\u00a0[a]\n---\n',
  '---\npaths:[a]\n---\n',
  '---\nglobs: a\ntitle: b\n---\n',
  `---\n# ${'x'.repeat(17_000)}\n---\n`,
  '---\npaths: a, b\n---\n',
  '---\npaths:\n---\n',
  '---\npaths: {}\n---\n',
  '---\npaths: []\n---\n',
  '---\npaths: [1, null, [a], {}]\n---\n',
  '---\npaths:\n  - src/c #/**\n---\n',
  globs('', '/a', 'a\\b', '../a', './a', 'a//b', 'a/', 'x'.repeat(1_025)),
  '---\npaths: ["/a", 7, "a//b"]\n---\n',
  globs(
    'a/{b,c}',
    `a/${'{b,c}'.repeat(9)}`,
    '!a',
    "'a'",
    ' a',
    'a,b',
    ','.repeat(20),
    'a\tb',
    '**.ts',
    'a**',
    'a\u202eb',
  ),
  globs(...Array.from({ length: 1_001 }, () => 'a')),
  globs(...Array.from({ length: 40 }, (_, index) => `${index}/{a,b}`)),
  globs('SRC/**', 'caf\u00e9/**', '*.py', 'none/**'),
  '',
  'same\n',
  'same\n',
  'notes.txt',
  'a\u200bb\u202ec\n',
  'a\u200bb\n',
  '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n',
];

const TREE: TreeSpec = [
  ...TEXTS.map((text, index) => ({ path: `${RULES}/${index}.md`, text })),
  { path: `${RULES}/utf16.md`, bytes: Uint8Array.of(0xff, 0xfe, 0x61, 0) },
  { path: `${RULES}/latin1.md`, bytes: Uint8Array.of(0xe9, 0x61) },
  { path: `${RULES}/nul.md`, bytes: Uint8Array.of(0x61, 0) },
  { path: `${RULES}/large.md`, text: 'x'.repeat(262_145) },
  { path: `${RULES}/folder.md`, folder: true },
  { path: `${RULES}/pipe.md`, fifo: true },
  { path: `${RULES}/upper.MD`, text: 'x' },
  { path: `${RULES}/hidden\u200b.md`, text: 'x' },
  { path: `${RULES}/notes.txt`, text: 'x' },
  { path: 'src/a.py', text: 'x' },
  { path: 'cafe\u0301/a.ts', text: 'x' },
  { path: 'inner/.git/HEAD', text: 'x' },
  { path: 'inner/AGENTS.md', text: 'x' },
  { path: 'packages/x/.elowen/rules/a.md', text: 'x' },
];

/** What every source says, whoever reads. */
const REFUSALS: readonly Diagnostic[] = [
  sourceRefusals.oversized('a', 9),
  sourceRefusals.notRegular('a', 'folder'),
  sourceRefusals.notRegular('a', 'special'),
  sourceRefusals.notFolder('a'),
  sourceRefusals.escape('a'),
  sourceRefusals.loop('a'),
  sourceRefusals.folderLink('a'),
  sourceRefusals.dangling('a'),
  sourceRefusals.denied('a'),
  sourceRefusals.unreadable('a', 'the read failed'),
  sourceRefusals.rootGone('a'),
  sourceRefusals.unstable('a', 3),
  sourceRefusals.truncated('a', 9),
];

/** Whose words are those of the failure that it names; its package holds it to the voice. */
const ELSEWHERE: readonly string[] = ['instruction_activation_failed', 'git_pointer_broken'];

async function everyDiagnostic(): Promise<readonly Diagnostic[]> {
  const source = createMemorySource(TREE);
  const resolver = createInstructionResolver(source);
  const { diagnostics } = await scanProject({ source, resolver });
  return [...diagnostics, ...REFUSALS];
}

test('every code speaks in one voice: a clause for what is wrong, an imperative sentence for what to do', async () => {
  const all = await everyDiagnostic();
  const told = new Set<string>([...all.map(({ code }) => code), ...ELSEWHERE]);
  expect(Object.keys(DIAGNOSTIC_CODES).filter((code) => !told.has(code))).toEqual([]);
  expect([...new Set(all.flatMap(voiceFaults))]).toEqual([]);
});

test('the same hint has the same words, whatever package gives it', async () => {
  const spellings = new Map<string, Set<string>>();
  for (const { hint = '' } of await everyDiagnostic()) {
    const key = hint.toLowerCase().replace(/[^a-z]/g, '');
    spellings.set(key, (spellings.get(key) ?? new Set()).add(hint.replace(/".*"|`[^`]*`|\d+/gs, '')));
  }
  expect([...spellings.values()].filter((same) => same.size > 1)).toEqual([]);
});
