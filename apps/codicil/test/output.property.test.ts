import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionId } from '@codicil/journal-records';
import { openSession } from '@codicil/session';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openProject } from '../src/project.ts';
import { openStore } from '../src/store.ts';
import { outputTo } from '../src/view/output.ts';
import { colors } from '../src/view/styles.ts';
import { said } from './fake-terminal.ts';

/** What nobody means to print: controls, direction changes, separators of lines, what has no width, tags. */
const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u115F\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E0FFF}]/u;

const anyHostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\x1b[2J', '\x1b]0;t\x07', '\x9b31m', '\x85', '\x7f', '\r', '\t', '\u202E', '\u2066', '\u200B'),
      fc.constantFrom('\uFEFF', '\u2028', '\u061C', '\u115F', '\u{E0041}', '漢', 'e\u0301', '\u{1F469}\u200D\u{1F4BB}'),
      fc.constantFrom('"', '\\', '%', ':', ',', '<', '`', '\n', '\r\n', 'a', 'b c'),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((units) => units.join(''));

/** A folder, a file, a rule and two texts: none of them was vetted. */
const anyProject = fc.record({
  folder: anyHostile,
  file: anyHostile,
  rule: anyHostile,
  text: anyHostile,
  glob: anyHostile,
});
type Hostile = typeof anyProject extends fc.Arbitrary<infer T> ? T : never;

interface Laid {
  readonly root: string;
  readonly store: string;
  readonly scenario: string;
  readonly touched: string;
}

async function layDown(home: string, { folder, file, rule, text, glob }: Hostile): Promise<Laid> {
  const root = join(home, 'root');
  const touched = `d${folder}/f${file}`;
  const frontmatter = `---\npaths:\n  - ${JSON.stringify(`d*${glob}`)}\n  - "**"\n---\n`;
  const tree = [
    { path: 'AGENTS.md', text: `x${text}` },
    { path: `d${folder}/AGENTS.md`, text: `y${text}` },
    { path: `.elowen/rules/${rule.replaceAll('/', '')}.md`, text: `${frontmatter}${text}` },
    { path: `.elowen/rules/broken${rule}.md`, text: `---\n${text}\n` },
    { path: touched, text },
  ];
  for (const entry of tree) {
    mkdirSync(join(root, entry.path, '..'), { recursive: true });
    writeFileSync(join(root, entry.path), entry.text);
  }
  const scenario = join(home, 'scenario.json');
  const steps = [{ prompt: text }, { touch: [{ op: 'read', path: touched }] }];
  writeFileSync(scenario, JSON.stringify({ tree, journal: 'memory', steps }));

  const store = join(home, 'journal.sqlite');
  const journal = await (await openStore('sqlite', store)).open();
  const { resolver } = await openProject(root);
  const session = await openSession({ journal, resolver, sessionId: sessionId('main') });
  await session.start();
  await session.prompt(text);
  await session.answer({ text, toolCalls: [{ id: 'call-1', name: 'read', input: { path: touched } }] });
  await session.toolResult({ toolCallId: 'call-1', text, isError: false, details: { fileAccess: { path: touched } } });
  await session.request();
  await journal.close();
  return { root, store, scenario, touched };
}

/** Every command, with whatever it may be asked to print. */
function invocations({ root, store, scenario, touched }: Laid, { text }: Hostile): readonly (readonly string[])[] {
  const explained = ['explain', '--root', root];
  const checked = ['check', '--root', root, '--format'];
  const shown = ['journal', 'show', 'main', '--store', store];
  return [
    [...explained, '--', touched],
    [...explained, '--content', '--', touched],
    [...explained, '--json', '--content', '--', touched],
    [...explained, '--', `${text}/missing`],
    explained,
    [...explained, '--content'],
    [...explained, '--json', '--content'],
    [...checked, 'text'],
    [...checked, 'json'],
    [...checked, 'sarif'],
    [...checked, 'github'],
    ['replay', scenario],
    ['replay', scenario, '--json'],
    ['journal', 'list', '--store', store],
    ['journal', 'list', '--store', store, '--json'],
    shown,
    [...shown, '--json'],
    [...shown, '--request', '1'],
    [...shown, '--request', '1', '--json'],
    ['journal', 'verify', '--store', store],
    ['journal', 'verify', '--store', store, '--json'],
    // Misuse repeats what was said.
    [`x${text}`],
    ['check', `--${text}`],
    ['check', '--format', text],
    ['check', '--root', `/there/is/no/${text}`],
    ['explain', '--root', root, '--', `../${text}`],
    ['replay', `/there/is/no/${text}`],
    ['journal', 'show', text, '--store', store],
    ['journal', 'show', 'main', '--request', text, '--store', store],
    ['journal', 'verify', '--store', `/there/is/no/${text}`],
  ];
}

test('output: no hidden character of a name, a text or an argument reaches a terminal or a pipe as it is', async () => {
  await fc.assert(
    fc.asyncProperty(anyProject, fc.boolean(), async (hostile, color) => {
      const home = mkdtempSync(join(tmpdir(), 'codicil-output-'));
      try {
        const laid = await layDown(home, hostile);
        for (const args of invocations(laid, hostile)) {
          const { out, err } = await said(args, { color });
          const plain = color ? (out + err).replaceAll(/\u001b\[(?:1|2|22|31|32|33|39)m/g, '') : out + err;
          expect([args, HIDDEN.exec(plain.replaceAll(/[\n\t]/g, ''))]).toEqual([args, null]);
          if (!args.includes('--json')) continue;
          for (const line of args[0] === 'replay' ? out.trim().split('\n') : [out]) JSON.parse(line);
        }
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }),
    { numRuns: Math.max(8, Math.floor(Number(process.env['CODICIL_RUNS'] ?? 100) / 5)) },
  );
});

test('output: what a program reads is the text, whatever stands in it', async () => {
  await fc.assert(
    fc.asyncProperty(anyHostile, async (text) => {
      const home = mkdtempSync(join(tmpdir(), 'codicil-output-'));
      try {
        const root = join(home, 'root');
        mkdirSync(root);
        writeFileSync(join(root, 'AGENTS.md'), `x${text}`);
        writeFileSync(join(home, 's.json'), JSON.stringify({ root, journal: 'memory', steps: [{ prompt: text }] }));
        const explained = JSON.parse((await said(['explain', '--root', root, '--json', '--content', 'x'])).out);
        expect(explained.startup[0].content).toBe(`x${text}`);
        const replayed = JSON.parse((await said(['replay', join(home, 's.json'), '--json'])).out);
        expect(replayed.messages[0].text).toBe(text);
        expect(replayed.system).toContain(`x${text}`);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }),
  );
});

test('a line that ends with CRLF is a line, and a lone CR is shown', async () => {
  const home = mkdtempSync(join(tmpdir(), 'codicil-output-'));
  const tree = [{ path: 'AGENTS.md', text: 'one\r\ntwo\rthree\r\n' }];
  writeFileSync(join(home, 's.json'), JSON.stringify({ tree, journal: 'memory', steps: [{ prompt: 'go\r\non' }] }));
  const { out } = await said(['replay', join(home, 's.json')]);
  rmSync(home, { recursive: true, force: true });
  expect(out).toContain('\none\ntwo\\u{d}three\n');
  expect(out).toContain('go\non');
});

test('output: on a coloured terminal no sequence passes but those of the colours', () => {
  let written = '';
  const out = (text: string): void => {
    written += text;
  };
  const output = outputTo({ color: true, out, err: out, progress: () => ({ update: () => {}, done: () => {} }) });
  const c = colors(true);
  for (const style of [c.bold, c.dim, c.red, c.green, c.yellow]) {
    written = '';
    output.text(style('a'));
    expect(written).toBe(style('a'));
  }
  fc.assert(
    fc.property(anyHostile, (text) => {
      written = '';
      output.text(text);
      output.err(text);
      expect(written.replaceAll(/[\n\t]/g, '')).not.toMatch(HIDDEN);
    }),
  );
});
