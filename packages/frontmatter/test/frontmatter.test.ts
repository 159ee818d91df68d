import { checkText, type Frontmatter, parseFrontmatter, readPlainFrontmatter } from '@codicil/frontmatter';
import { expect, test } from 'vitest';
import { z } from 'zod';

const schema = z.strictObject({ paths: z.array(z.string()).min(1) });

const read = (text: string): Promise<Frontmatter<{ paths: string[] }>> =>
  parseFrontmatter(new TextEncoder().encode(text), {
    path: 'r.md',
    schema: () => schema,
    knownKeys: ['paths'],
    likelyKeys: { path: 'paths', glob: 'paths', globs: 'paths', applyTo: 'paths' },
    tellingKeys: ['path', 'globs', 'glob', 'applyTo', 'alwaysApply'],
    describeCut: (value) => ({ code: 'glob_cut_by_comment', message: value }),
    describeIssue: (issue, value) => ({
      code:
        !Array.isArray(value) && issue.path.length === 1
          ? 'paths_not_a_list'
          : issue.path.length === 1
            ? 'paths_empty'
            : 'paths_not_a_string',
      message: issue.message,
    }),
  });

/** `none`, the list, or the codes of what is wrong. */
async function told(text: string): Promise<unknown> {
  const outcome = await read(text);
  if (outcome.kind === 'none') return 'none';
  return outcome.kind === 'data' ? outcome.data.paths : outcome.diagnostics.map(({ code }) => code).join(' ');
}

test.each<[name: string, text: string, expected: unknown]>([
  ['a text without a fence has no block', '# all\n', 'none'],
  ['an empty block is none', '---\n---\nx\n', 'none'],
  ['a block of comments is none', '---\n# nothing\n\n  # more\n---\nx\n', 'none'],
  ['blanks behind fences do not count', '--- \t\npaths: ["a"]\n---  \nx', ['a']],
  ['CRLF behind a byte order mark is fine', '\ufeff---\r\npaths:\r\n  - "a"\r\n---\r\nA\r\n', ['a']],
  ['blank lines and an unindented list are fine', '---\n\npaths:\n\n- "a"\n\n---\n', ['a']],
  [
    'items that begin with a dot are strings',
    '---\npaths:\n  - .github/**\n  - .env.example\n---\n',
    ['.github/**', '.env.example'],
  ],
  ['a folded double-quoted value is read by the parser', '---\npaths: ["a\\u002fb"]\n---\n', ['a/b']],
  ['a comment behind a quoted value is fine', '---\npaths:\n  - "a/#b"   # why\n---\n', ['a/#b']],
  ['an empty map is none', '---\n{}\n---\nx\n', 'none'],
  ['an empty map with blanks and comments is none', '---\n# a\n { } # b\n\n# c\n---\nx\n', 'none'],
  ['an empty map over two lines is none', '---\n{\n}\n---\nx\n', 'none'],
  ['a tilde is none', '---\n~\n---\nx\n', 'none'],
  ['a tilde beside comments is none', '---\n# a\n ~ # b\n---\nx\n', 'none'],
  ['a null is none', '---\r\nnull\r\n---\r\nx\n', 'none'],
  ['a null in capitals is none', '---\nNULL\n---\nx\n', 'none'],
  ['a quoted null is a piece of text', '---\n"null"\n---\nx\n', 'frontmatter_not_a_map'],
  ['two tildes are a piece of text', '---\n~~\n---\nx\n', 'frontmatter_not_a_map'],
  ['an empty list is no map', '---\n[]\n---\nx\n', 'frontmatter_not_a_map'],
  ['an empty text is no map', '---\n""\n---\nx\n', 'frontmatter_not_a_map'],
  ['an anchor on nothing is refused', '---\n&a {}\n---\nx\n', 'frontmatter_alias'],
  ['a tag on nothing is refused', '---\n!!null ~\n---\nx\n', 'frontmatter_yaml'],
  ['an empty map that goes on is refused', '---\n{} paths\n---\nx\n', 'frontmatter_yaml'],
  ['an empty map that is not closed is refused', '---\n{\n---\nx\n', 'frontmatter_yaml'],
  ['a null key is a key', '---\n? \n---\nx\n', 'frontmatter_unknown_key'],
  ['an unquoted star is an alias', '---\npaths:\n  - **/*.ts\n---\n', 'frontmatter_alias'],
  ['an unquoted star as the value too', '---\npaths: **/*.ts\n---\n', 'frontmatter_alias'],
  ['every unquoted star is told', '---\npaths: [**/*.ts, *.md]\n---\n', 'frontmatter_alias frontmatter_alias'],
  ['an anchor is refused', '---\npaths: &p ["a/**"]\n---\n', 'frontmatter_alias'],
  ['a merge key is refused', '---\n<<: {paths: ["a"]}\n---\n', 'frontmatter_alias'],
  ['a tag is refused', '---\npaths:\n  - "a"\n  - !src/**\n---\n', 'frontmatter_yaml'],
  ['a standard tag is refused', '---\npaths: !!seq ["a"]\n---\n', 'frontmatter_yaml'],
  ['a value that begins with a brace is refused', '---\npaths: {src,lib}/**\n---\n', 'frontmatter_yaml'],
  ['a tab as indentation is refused', '---\npaths:\n\t- "a"\n---\n', 'frontmatter_yaml'],
  ['a backslash in double quotes is refused', '---\npaths:\n  - "src\\utils\\**"\n---\n', 'frontmatter_yaml'],
  ['a reserved character is refused', '---\npaths: [@x]\n---\n', 'frontmatter_yaml'],
  ['a list on the line of its key is refused', '---\npaths: - "a" - "b"\n---\n', 'frontmatter_yaml'],
  ['a value that goes on behind its quotes is refused', '---\npaths:\n  - "a" and "b"\n---\n', 'frontmatter_yaml'],
  ['a lone carriage return is refused', '---\npaths: ["a"]\r# x\n---\n', 'frontmatter_yaml'],
  ['a document end is refused', '---\npaths: ["a"]\n...\n---\n', 'frontmatter_yaml'],
  ['a key twice is refused', '---\npaths: ["a"]\npaths: ["b"]\n---\n', 'frontmatter_duplicate_key'],
  ['a list at the root is refused', '---\n- "a"\n---\n', 'frontmatter_not_a_map'],
  ['prose between rules is refused', '---\nRead this first\n---\n', 'frontmatter_not_a_map'],
  ['a key without a blank behind the colon is text', '---\npaths:["a"]\n---\n', 'frontmatter_not_a_map'],
  ['a no-break space behind the colon makes text', '---\npaths:\u00a0["a"]\n---\n', 'frontmatter_not_a_map'],
  [
    'conflict markers are refused',
    '---\n<<<<<<< HEAD\npaths: ["a"]\n=======\npaths: ["b"]\n>>>>>>> t\n---\n',
    'frontmatter_conflict',
  ],
  ['conflict markers before the block are refused', '<<<<<<< HEAD\n---\npaths: ["a"]\n---\n', 'frontmatter_conflict'],
  ['another key is refused', '---\npath:\n  - "a"\n---\n', 'frontmatter_unknown_key'],
  [
    'a name of the prototype is a key like any other',
    '---\n__proto__: {paths: ["a"]}\n---\n',
    'frontmatter_unknown_key',
  ],
  [
    'unknown keys and issues of the schema are told at once',
    '---\nglobs:\nalwaysApply: false\npaths: []\n---\n',
    'frontmatter_unknown_key frontmatter_unknown_key paths_empty',
  ],
  ['a string is no list', '---\npaths: "a, b"\n---\n', 'paths_not_a_list'],
  ['nothing is no list', '---\npaths:\n---\n', 'paths_not_a_list'],
  ['a map is no list', '---\npaths: {}\n---\n', 'paths_not_a_list'],
  ['a number is no string', '---\npaths: [1, "a", null]\n---\n', 'paths_not_a_string paths_not_a_string'],
  ['three dots close nothing', '---\npaths: ["a"]\n...\nx\n', 'frontmatter_unterminated'],
  ['four dashes close nothing', '---\npaths: ["a"]\n----\nx\n', 'frontmatter_unterminated'],
  ['a blank line before the fence', '\n---\npaths: ["a"]\n---\n', 'frontmatter_misplaced'],
  ['a comment before the fence', '<!-- generated -->\n---\npaths: ["a"]\n---\n', 'frontmatter_misplaced'],
  ['an indented fence', '  ---\n  paths: ["a"]\n  ---\n', 'frontmatter_misplaced'],
  ['a comment on the fence', '--- # scope\npaths: ["a"]\n---\n', 'frontmatter_misplaced'],
  ['a language on the fence', '---js\nmodule.exports = {}\n---\n', 'frontmatter_misplaced'],
  ['a fence of long dashes', '—-\npaths:\n  - "a"\n—-\n', 'frontmatter_misplaced'],
  ['a fence that an editor made one long dash', '—\npaths: ["a"]\n—\n', 'frontmatter_misplaced'],
  ['a fence with blanks between its dashes', '- - -\npaths: ["a"]\n- - -\n', 'frontmatter_misplaced'],
  ['a fence of plus signs', '+++\npaths = ["a"]\n+++\n', 'frontmatter_misplaced'],
  ['a horizontal rule below a blank line is body', '\n---\n\nplain text\n', 'none'],
  ['a long rule above prose is body', '-----\n\nplain text\n', 'none'],
  ['a telling word far below is body', `\n---\n${'x\n'.repeat(25)}paths: y\n`, 'none'],
])('%s', async (_name, text, expected) => {
  expect(await told(text)).toEqual(expected);
});

test('a plain value that a comment cuts is used, with a warning', async () => {
  const outcome = await read('---\npaths:\n  - src/c #/**\n---\n');
  expect(outcome).toMatchObject({
    kind: 'data',
    data: { paths: ['src/c'] },
    diagnostics: [
      { code: 'glob_cut_by_comment', range: { start: { line: 3, column: 5 }, end: { line: 3, column: 15 } } },
    ],
  });
});

test('ranges count lines over the whole file and columns in UTF-16 units', async () => {
  const outcome = await read('---\n# 😀\npaths: ["😀/a", *x]\n---\n');
  expect(outcome).toMatchObject({
    diagnostics: [{ range: { start: { line: 3, column: 17 }, end: { line: 3, column: 19 } } }],
  });
});

test.each(['---\npaths:\n  - "src/a"\n---\n', '---\npaths:\n  - "src/a"\n  - b # c\n---\n'])(
  'an item and a part of it have a place (%j)',
  async (text) => {
    const outcome = await read(text);
    if (outcome.kind !== 'data') throw new Error('the block is right');
    expect(outcome.ranges.key('paths')).toEqual({ start: { line: 2, column: 1 }, end: { line: 2, column: 6 } });
    expect(outcome.ranges.item('paths', 0)).toEqual({ start: { line: 3, column: 5 }, end: { line: 3, column: 12 } });
    expect(outcome.ranges.span('paths', 0, 4, 5)).toEqual({
      start: { line: 3, column: 10 },
      end: { line: 3, column: 11 },
    });
    expect(outcome.ranges.item('paths', 7)).toBeUndefined();
  },
);

test.each(['path', 'Paths', 'globs', 'applyTo', 'pahts', 'path s'])('the likely key is named for %s', async (key) => {
  expect(await read(`---\n${key}: ["a"]\n---\n`)).toMatchObject({ diagnostics: [{ facts: { likely: 'paths' } }] });
});

test('the schema is not asked for where the plain list is accepted', () => {
  const outcome = readPlainFrontmatter<readonly string[]>(new TextEncoder().encode('---\npaths:\n  - src/**\n---\n'), {
    path: 'r.md',
    schema: () => {
      throw new Error('asked for');
    },
    knownKeys: ['paths'],
    acceptPlainList: (_key, items) => items,
  });
  expect(outcome).toMatchObject({ kind: 'data', data: ['src/**'] });
});

test('bytes that are not UTF-8 text are refused', () => {
  expect(checkText(Uint8Array.of(0xff, 0xfe, 0x2d, 0), 'a')).toMatchObject([{ code: 'file_not_utf8' }]);
  expect(checkText(Uint8Array.of(97, 10, 98, 0), 'a')).toMatchObject([
    { code: 'file_nul', range: { start: { line: 2, column: 2 } } },
  ]);
});
