import { type Diagnostic, type DiagnosticCode, diagnostic, type Range, renderText } from '@codicil/diagnostics';
import { expect, test } from 'vitest';

function span(line: number, column: number, endLine: number, endColumn: number): Range {
  return { start: { line, column }, end: { line: endLine, column: endColumn } };
}

function found(range: Range | undefined, more: Partial<Diagnostic> & { code?: DiagnosticCode } = {}): Diagnostic {
  const details = { path: 'a.md', message: 'It is wrong.', range, ...more };
  return diagnostic(more.code ?? 'frontmatter_yaml', details);
}

function frame(source: string, range: Range): readonly string[] {
  return renderText([found(range)], { source: () => source, color: false })
    .split('\n')
    .slice(1);
}

test('a diagnostic is a head line, the line of source, and carets with the hint', () => {
  const source = '---\npaths: [**/*.ts]\n---\n';
  const alias = diagnostic('frontmatter_alias', {
    path: '.elowen/rules/api.md',
    message: '`*` starts a YAML alias here, so this glob must be quoted.',
    hint: 'Write "**/*.ts".',
    range: span(2, 9, 2, 16),
  });
  const elsewhere = diagnostic('module_empty', { path: '', message: 'The module has no text.' });
  expect(renderText([alias, elsewhere], { source: () => source, color: false })).toMatchInlineSnapshot(`
    ".elowen/rules/api.md:2:9  error frontmatter_alias  \`*\` starts a YAML alias here, so this glob must be quoted.
      2 | paths: [**/*.ts]
        |         ^^^^^^^  Write "**/*.ts".

    .  warning module_empty  The module has no text."
  `);
});

test('colours are used when they are asked for, and only then', () => {
  const o = { source: () => 'abc' };
  const range = span(1, 1, 1, 2);
  expect(renderText([found(range)], { ...o, color: true })).toContain('\x1b[31m^\x1b[39m');
  expect(renderText([found(range)], { ...o, color: false })).not.toContain('\x1b');
});

test('without a source or a range there is no frame, and the hint has a line of its own', () => {
  const hint = 'Mend it.';
  const o = { source: () => undefined, color: false };
  expect(renderText([found(span(1, 1, 1, 2), { hint })], o)).toBe(
    'a.md:1:1  error frontmatter_yaml  It is wrong.\n  Mend it.',
  );
  expect(renderText([found(undefined, { hint })], { ...o, source: () => 'abc' })).toBe(
    'a.md  error frontmatter_yaml  It is wrong.\n  Mend it.',
  );
});

test('nothing found is an empty text', () => {
  expect(renderText([], { source: () => undefined, color: true })).toBe('');
});

test('a line that the source no longer has is no frame', () => {
  expect(frame('one line', span(7, 1, 7, 2))).toEqual([]);
});

test('a source is asked for once, however many diagnostics it has', () => {
  let asked = 0;
  const source = (): string => {
    asked++;
    return 'abc';
  };
  renderText([found(span(1, 1, 1, 2)), found(span(1, 2, 1, 3))], { source, color: false });
  expect(asked).toBe(1);
});

test('lines are counted as positions count them', () => {
  expect(frame('a\r\nb\rc\nd', span(3, 1, 3, 2))[0]).toBe('  3 | c');
  expect(frame('a\r\nb\rc\nd', span(4, 1, 4, 2))[0]).toBe('  4 | d');
});

test('a tab is blanks up to the next stop, and the carets follow', () => {
  expect(frame('\tx\ty', span(1, 2, 1, 3))).toEqual(['  1 |     x   y', '    |     ^']);
  expect(frame('ab\ty', span(1, 3, 1, 4))).toEqual(['  1 | ab  y', '    |   ^^']);
});

test('a wide character takes two columns, and a letter with its marks one', () => {
  expect(frame('漢字x', span(1, 3, 1, 4))).toEqual(['  1 | 漢字x', '    |     ^']);
  expect(frame('漢字x', span(1, 1, 1, 3))).toEqual(['  1 | 漢字x', '    | ^^^^']);
  expect(frame('u\u0308x', span(1, 3, 1, 4))).toEqual(['  1 | u\u0308x', '    |  ^']);
  expect(frame('\u{1F469}\u200D\u{1F4BB}x', span(1, 6, 1, 7))).toEqual([
    '  1 | \u{1F469}\u200D\u{1F4BB}x',
    '    |   ^',
  ]);
});

test('a range that begins inside a character marks the whole of it', () => {
  expect(frame('\u{1F600}x', span(1, 2, 1, 3))).toEqual(['  1 | \u{1F600}x', '    | ^^']);
});

test.each([
  ['an ANSI escape', 'a\x1b[31mb', 'a\\u{1b}[31mb'],
  ['a C1 control', 'a\x9b31mb', 'a\\u{9b}31mb'],
  ['a NUL', '\0', '\\u{0}'],
  ['a bell', '\x07', '\\u{7}'],
  ['a direction override', 'a\u202Eb', 'a\\u{202e}b'],
  ['a direction isolate', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
  ['an Arabic letter mark', '\u061Ca', '\\u{61c}a'],
  ['a zero-width space', 'a\u200Bb', 'a\\u{200b}b'],
  ['a joiner between Latin letters', 'a\u200Db', 'a\\u{200d}b'],
  ['a byte order mark', '\uFEFFa', '\\u{feff}a'],
  ['a tag character', 'a\u{E0041}', 'a\\u{e0041}'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['half of a surrogate pair', 'a\uD83D', 'a\\u{d83d}'],
  ['a mark on nothing', '\u0301a', '\\u{301}a'],
  ['a soft hyphen', 'a\u00ADb', 'a\\u{ad}b'],
  ['a Hangul filler', 'a\u3164', 'a\\u{3164}'],
])('%s is shown as an escape, wherever it comes from', (_what, raw, shown) => {
  const [line] = frame(raw, span(1, 1, 1, 1));
  expect(line).toBe(`  1 | ${shown}`);
  const elsewhere = found(undefined, { path: raw, message: raw, hint: raw });
  expect(renderText([elsewhere], { source: () => undefined, color: false })).toBe(
    `${shown}  error frontmatter_yaml  ${shown}\n  ${shown}`,
  );
});

test('a line break in a name, a message or a hint does not break the line', () => {
  const odd = found(undefined, { path: 'a\nb', message: 'c\r\nd', hint: 'e\tf' });
  expect(renderText([odd], { source: () => undefined, color: false })).toBe(
    'a\\u{a}b  error frontmatter_yaml  c\\u{d}\\u{a}d\n  e\\u{9}f',
  );
});

test('no more marks than a script needs pile up on one letter', () => {
  const [line] = frame(`a${'\u0301'.repeat(50)}`, span(1, 1, 1, 2));
  expect(line?.match(/\u0301/g)).toHaveLength(4);
});

test('joiners that a script or an emoji needs stay', () => {
  for (const honest of [
    '\u0645\u06CC\u200C\u062E',
    '\u{1F3F3}\uFE0F\u200D\u{1F308}',
    '\u{1F1E9}\u{1F1EA}',
    '1\uFE0F\u20E3',
  ]) {
    expect(frame(honest, span(1, 1, 1, 2))[0]).toBe(`  1 | ${honest}`);
  }
});

test('an escape is marked over all its columns', () => {
  expect(frame('a\x1bb', span(1, 2, 1, 3))).toEqual(['  1 | a\\u{1b}b', '    |  ^^^^^^']);
  expect(frame('a\x1bb', span(1, 3, 1, 4))).toEqual(['  1 | a\\u{1b}b', '    |        ^']);
});

test('an empty range and one behind the end of the line have a caret', () => {
  expect(frame('abc', span(1, 2, 1, 2))).toEqual(['  1 | abc', '    |  ^']);
  expect(frame('abc', span(1, 4, 1, 4))).toEqual(['  1 | abc', '    |    ^']);
  expect(frame('abc', span(1, 90, 1, 99))).toEqual(['  1 | abc', '    |    ^']);
  expect(frame('', span(1, 1, 1, 1))).toEqual(['  1 |', '    | ^']);
});

test('a range over several lines marks the first and names the last', () => {
  expect(frame('abc\ndef\nghi', span(1, 2, 3, 2))).toEqual(['  1 | abc', '    |  ^^ to line 3']);
});

test('of a long line the part around the range is shown', () => {
  const source = `${'a'.repeat(1_000)}HERE${'b'.repeat(1_000)}`;
  const [line = '', carets = ''] = frame(source, span(1, 1_001, 1, 1_005));
  expect(line.length).toBeLessThan(120);
  expect(line).toContain('aHEREb');
  expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('HERE');
  expect(frame('a'.repeat(100), span(1, 1, 1, 2))[0]).toBe(`  1 | ${'a'.repeat(100)}`);
});

test('a long line is cut between characters', () => {
  const [line = ''] = frame('\u{1F600}'.repeat(2_000), span(1, 2_001, 1, 2_003));
  expect(line).toMatch(/^ {2}1 \| …\u{1F600}+…$/u);
});
