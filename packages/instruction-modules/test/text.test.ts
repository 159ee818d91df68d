import { expect, test } from 'vitest';
import { files, pathsOf, projectOf, rule } from './over.ts';

async function warningsOf(body: string): Promise<readonly string[]> {
  const { resolver } = projectOf(files({ 'a/AGENTS.md': body }));
  const resolution = await resolver.forPaths(['a/x']);
  expect(pathsOf(resolution)).toEqual(['a/AGENTS.md']);
  return resolution.diagnostics.map(({ code }) => code);
}

test.for<readonly [string, string]>([
  ['a bidirectional override', 'allow \u202eyned\u202c all'],
  ['an isolate', 'a\u2066b\u2069'],
  ['an Arabic letter mark', 'a\u061cb'],
  ['tag characters', 'fine\u{e0068}\u{e0069}'],
  ['a zero-width space', 'a\u200bb'],
  ['a joiner between letters', 'a\u200db'],
  ['a run of joiners in an emoji', '\u{1f469}\u200d\u200d\u{1f4bb}'],
  ['a soft hyphen', 'a\u00adb'],
  ['a word joiner', 'a\u2060b'],
  ['an invisible operator', 'a\u2063b'],
  ['a Mongolian vowel separator', 'a\u180eb'],
  ['a Hangul filler', 'a\u3164b'],
  ['a byte order mark in the middle', 'a\ufeffb'],
  ['a selector behind a letter', 'a\ufe0fb'],
  ['a run of selectors', '\u{1f680}\ufe0f\ufe0f'],
  ['a run of supplementary selectors', '\u{1f680}\u{e015f}\u{e0152}'],
  ['a digit with a bare selector', '1\ufe0f'],
  ['a terminal escape', 'a\u001b[31mred'],
  ['an eight-bit terminal escape', 'a\u009b31mred'],
  ['a flag with another tag', '\u{1f3f4}\u{e0078}\u{e0078}\u{e007f}'],
])('%s is hidden', async ([, body]) => {
  expect(await warningsOf(`${body}\n`)).toEqual(['hidden_characters']);
});

test.for<readonly [string, string]>([
  ['plain text', 'plain\ttext\r\n'],
  ['accents, dashes and blanks', 'caf\u00e9 \u2013 \u00a0 \u4e2d\u6587'],
  [
    'an emoji of several people',
    '\u{1f469}\u200d\u{1f4bb} \u{1f469}\u{1f3fd}\u200d\u{1f680} \u{1f3f3}\ufe0f\u200d\u{1f308}',
  ],
  ['an emoji with a selector', '\u2764\ufe0f \u26a0\ufe0e'],
  ['a keycap', '1\ufe0f\u20e3 #\ufe0f\u20e3'],
  ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['a joiner in Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['a joiner in Hindi', '\u0915\u094d\u200d\u0937'],
  ['a variant of an ideograph', '\u845b\u{e0100}'],
  ['a Mongolian variant', '\u1820\u180b'],
])('%s is honest', async ([, body]) => {
  expect(await warningsOf(body)).toEqual([]);
});

test('the range of the first hidden character is that of the file, frontmatter and all', async () => {
  const { resolver } = projectOf(
    files({ '.elowen/rules/r.md': `\ufeff${rule(['**'], '\u00e9\u{1f600}x\u200by\u200b\n')}` }),
  );
  const { diagnostics } = await resolver.forPaths(['x']);
  expect(diagnostics).toMatchObject([
    {
      code: 'hidden_characters',
      range: { start: { line: 5, column: 5 }, end: { line: 5, column: 6 } },
      facts: { characters: ['U+200B'], count: 2 },
    },
  ]);
});

test('a hidden character in a name and in a glob is named', async () => {
  const { resolver } = projectOf(files({ 'a\u202eb/AGENTS.md': 'x', '.elowen/rules/g.md': rule(['s\u200brc/**']) }));
  const { diagnostics } = await resolver.forPaths(['a\u202eb/c']);
  expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
    ['hidden_characters', '.elowen/rules/g.md'],
    ['hidden_characters', 'a\u202eb/AGENTS.md'],
  ]);
});

test.for([
  ['both ends', 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n', 2],
  ['a left-over end', 'a\r\nb\r\n>>>>>>> topic\r\n', 3],
  ['a bare marker on the last line', 'a\n<<<<<<<', 2],
] as const)('conflict markers are named: %s', async ([, body, line]) => {
  const { resolver } = projectOf(files({ 'AGENTS.md': body }));
  const { diagnostics } = await resolver.startup();
  expect(diagnostics).toMatchObject([{ code: 'merge_conflict', range: { start: { line, column: 1 } } }]);
});

test('an underlined heading, a quotation and a marker within a line are no conflict', async () => {
  expect(await warningsOf('Title\n=======\n>>> a\n `<<<<<<< HEAD`\n<<<<<<<<< nine\n')).toEqual([]);
});
