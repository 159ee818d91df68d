import fc from 'fast-check';
import { anyNameCharacter } from './names.ts';

/** Whatever a name may hold and a text may spell. */
const nameText = fc
  .array(fc.oneof(fc.constantFrom('a', '/', '*'), anyNameCharacter()), { minLength: 1, maxLength: 4 })
  .map((characters) => characters.join('').replace(/\p{Surrogate}/gu, '\ufffd'));

const item = fc.oneof(
  fc.constantFrom(
    'src/**',
    '"src/**"',
    "'lib/*.ts'",
    '**/*.ts',
    '!x',
    '"a\\b"',
    '404',
    'null',
    '.env',
    '{a,b}',
    '&a x',
    '*a',
    '""',
    'a: b',
    'src/c #/**',
    '"é/**"',
    '# c',
    '@x',
    '%x',
    '[x',
    'a #b',
    "'it''s'",
    '.5',
    '1e3',
    'true',
    '.inf',
    '-',
    '- x',
    '/x',
    'a/1:',
    '.git/x',
  ),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => JSON.stringify(text)),
  nameText,
  nameText.map((text) => JSON.stringify(text)),
  nameText.map((text) => `"${text}"`),
  nameText.map((text) => `'${text}'`),
);
const blanks = fc.constantFrom('', ' ', '  ', '\t', '    ');
const eol = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', '\n\n', ' \n', ' # c\n', '#c\n');
const key = fc.constantFrom(
  'paths',
  'paths',
  'paths',
  'path',
  'globs',
  'Paths',
  '__proto__',
  'constructor',
  '"paths"',
  'null',
  '<<',
);

/** Text that stands between fences: near the plain shape, mostly, and often broken. */
export const blockText: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      key,
      fc.constantFrom(':', ': ', ' :', ''),
      eol,
      blanks,
      fc.array(fc.tuple(item, eol), { maxLength: 4 }),
      fc.constantFrom('', '', '# c\n', '\n'),
    )
    .map(
      ([name, colon, end, indent, items, tail]) =>
        `${name}${colon}${end}${items.map(([text, line]) => `${indent}- ${text}${line}`).join('')}${tail}`,
    ),
  fc
    .tuple(
      key,
      fc.constantFrom(': ', ':', ':  '),
      fc.array(item, { maxLength: 4 }),
      fc.constantFrom(', ', ',', ' , '),
      eol,
    )
    .map(([name, colon, items, comma, end]) => `${name}${colon}[${items.join(comma)}]${end}`),
  fc
    .array(
      fc.oneof(
        item,
        blanks,
        eol,
        fc.constantFrom('[', '{', '}', ']', ': ', '- ', '? ', '"', "'", '...', '---', '<<<<<<< HEAD', '|', '>'),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

/** The plain shape with, at most, one item that is not what it looks like. */
export const nearlyPlainBlock: fc.Arbitrary<string> = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.constantFrom('"src/**"', "'a b'"), { maxLength: 2 }),
    item,
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([isFlow, sound, odd, end]) =>
    isFlow
      ? `paths: [${[...sound, odd].join(', ')}]${end}`
      : `paths:${end}${[...sound, odd].map((text) => `  - ${text}${end}`).join('')}`,
  );

/** A whole source: fences right and wrong, with and without a byte order mark. */
export const sourceText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', '', '\ufeff', '\ufeff\ufeff', '\n', ' ', '<!-- x -->\n', '\u200b', '\u00a0'),
    fc.constantFrom('---\n', '---\n', '---\r\n', '--- \t\n', '----\n', '--- # x\n', '---js\n', '—-\n', '+++\n', ''),
    blockText,
    fc.constantFrom('\n---\n', '---\n', '\r\n---\r\n', '\n--- ', '\n---', '\n...\n', '\n----\n', ''),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  )
  .map((parts) => parts.join(''));

/** Any bytes, and texts cut or poisoned in the middle. */
export const sourceBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  sourceText.map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 200 }),
  fc.tuple(sourceText, fc.nat(), fc.constantFrom(0, 0xff, 0xc3, 13)).map(([text, at, byte]) => {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  }),
);
