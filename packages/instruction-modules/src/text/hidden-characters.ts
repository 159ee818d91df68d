/** Default-ignorable code points (zero-width, bidirectional controls, tags, selectors, fillers), annotation marks, terminal escapes. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\x1b\x9b]/gu;
/** What no hidden character is found in. */
const PLAIN = /^[\x00-\x1a\x1c-\x7e]*$/;

const JOINER = /^[\u200c\u200d]$/;
const SELECTOR = /^[\ufe00-\ufe0f\u180b-\u180d\u180f\u{e0100}-\u{e01ef}]$/u;
const PICTURE = /^\p{Extended_Pictographic}$/u;
/** What may stand between a picture and the joiner behind it. */
const PICTURE_TAIL = /^(?:\p{Emoji_Modifier}|\ufe0f)$/u;
/** Scripts whose letters change shape beside a joiner. */
const JOINING_SCRIPT = new RegExp(
  `^[${[
    'Arab',
    'Syrc',
    'Mong',
    'Nkoo',
    'Mand',
    'Adlm',
    'Deva',
    'Beng',
    'Guru',
    'Gujr',
    'Orya',
    'Taml',
    'Telu',
    'Knda',
    'Mlym',
    'Sinh',
    'Khmr',
    'Mymr',
    'Tibt',
    'Java',
    'Bali',
    'Cakm',
    'Newa',
  ]
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]$`,
  'u',
);
/** The three flags of parts of a country that are written with tag characters. */
const TAGGED_FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

export interface HiddenCharacters {
  /** UTF-16 offset of the first one. */
  readonly index: number;
  readonly length: number;
  /** Each kind once, as `U+202E`, in the order of appearance. */
  readonly characters: readonly string[];
  readonly count: number;
}

/** Characters that a reader does not see or that turn what is shown around; an honest emoji or complex script has none. */
export function findHiddenCharacters(text: string): HiddenCharacters | undefined {
  if (PLAIN.test(text)) return undefined;
  const flags = [...text.matchAll(TAGGED_FLAG)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const kinds = new Set<string>();
  let first: RegExpMatchArray | undefined;
  let count = 0;
  let flag = 0;
  for (const match of text.matchAll(HIDDEN)) {
    while ((flags[flag]?.end ?? Number.POSITIVE_INFINITY) <= match.index) flag++;
    if ((flags[flag]?.start ?? Number.POSITIVE_INFINITY) <= match.index) continue;
    if (isHonest(text, match.index, match[0])) continue;
    first ??= match;
    count++;
    kinds.add(`U+${(match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  }
  if (first?.index === undefined) return undefined;
  return { index: first.index, length: first[0].length, characters: [...kinds], count };
}

function isHonest(text: string, index: number, character: string): boolean {
  if (JOINER.test(character)) return isHonestJoiner(text, index, character);
  return SELECTOR.test(character) && isHonestSelector(text, index, character);
}

function isHonestJoiner(text: string, index: number, joiner: string): boolean {
  const before = characterBefore(text, index);
  if (JOINING_SCRIPT.test(before)) return true;
  if (joiner !== '\u200d' || !PICTURE.test(characterAfter(text, index + 1))) return false;
  if (PICTURE.test(before)) return true;
  return PICTURE_TAIL.test(before) && PICTURE.test(characterBefore(text, index - before.length));
}

/** One selector behind what it may select from. A second one never is: a run of them carries hidden bytes. */
function isHonestSelector(text: string, index: number, selector: string): boolean {
  const point = selector.codePointAt(0) ?? 0;
  const before = characterBefore(text, index);
  const after = characterAfter(text, index + selector.length);
  if (SELECTOR.test(after)) return false;
  if (point >= 0xe0100) return /^\p{Script=Han}$/u.test(before);
  if (point < 0xfe00) return /^\p{Script=Mongolian}$/u.test(before) && !SELECTOR.test(before);
  if (/^[0-9#*]$/.test(before)) return after === '\u20e3';
  if (point >= 0xfe0e) return /^[\p{Emoji}\p{Extended_Pictographic}]$/u.test(before);
  return /^[\p{Script=Han}\p{Sm}\p{Script=Myanmar}\p{Script=Phags_Pa}]$/u.test(before);
}

function characterAfter(text: string, index: number): string {
  const point = text.codePointAt(index);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function characterBefore(text: string, index: number): string {
  if (index <= 0) return '';
  const unit = text.charCodeAt(index - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && index > 1 ? text.slice(index - 2, index) : text.charAt(index - 1);
}
