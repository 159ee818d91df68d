import fc from 'fast-check';

const range = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

/** Marks that join the letter before them, and letters of two spellings or of another length in the other case. */
const LETTERS = ['é', 'e\u0301', '\u0301', '\u0308', 'ü', 'ß', 'İ', 'ı', 'ſ', 'K', 'ﬁ', 'Σ', 'ς', '漢', '한', 'א', 'अ'];
/** Blanks that are no space, what no reader sees, and what turns the text around. */
const UNSEEN = [
  '\u00a0',
  '\u00ad',
  '\u061c',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
  '\u3000',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\u{e0041}',
];
const QUOTES = ['´', '‘', '’', '‚', '“', '”', '„', '«', '»', '‹', '›'];
const EDGES = ['\ud7ff', '\ue000', '\ufffd', '\uffff', '\u{10000}', '😀', '\u{10ffff}'];

/** Whatever a name of a file may hold and UTF-8 can spell: all of ASCII but a slash and a NUL, and of the rest each kind that some rule knows. */
export const NAME_CHARACTERS: readonly string[] = [
  ...range(0x01, 0x7f).filter((character) => character !== '/'),
  ...range(0x80, 0x9f),
  ...LETTERS,
  ...UNSEEN,
  ...QUOTES,
  ...EDGES,
];

/** Half a character: a path of a Windows disk may hold one, a file's text may not. */
export const LONE_SURROGATES: readonly string[] = ['\ud800', '\ud83d', '\udbff', '\udc00', '\ude00', '\udfff'];

/** Signs that some dialect gives a meaning: more of these than of letters, so that one that is taken for an operator is seen. */
const SIGNS = NAME_CHARACTERS.filter((character) => /^[!-~]$/.test(character) && !/\w/.test(character));

/** Any character of a name, half of the time a sign. */
export const anyNameCharacter = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...SIGNS), fc.constantFrom(...NAME_CHARACTERS, ...LONE_SURROGATES));

/** One character of a name: mostly one of few, so that names meet, and else any that a name may hold. */
export const nameCharacter = (): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom('a', 'b', '.') }, { weight: 2, arbitrary: anyNameCharacter() });

/** The name of a file or a folder. */
export const anyName = (): fc.Arbitrary<string> =>
  fc
    .array(nameCharacter(), { minLength: 1, maxLength: 5 })
    .map((characters) => characters.join(''))
    .filter((name) => name !== '.' && name !== '..');
