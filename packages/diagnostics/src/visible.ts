/** What a terminal obeys or a reader cannot see: controls, direction changes, invisible and tag characters, lone surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Marks without a letter to stand on, and more marks on one letter than any script needs: they would cover other lines. */
const MAX_MARKS = 4;
const UNUSUAL = new RegExp(`${HIDDEN.source}|^\\p{M}|\\p{M}{${MAX_MARKS + 1}}`, 'u');
/** Emoji whose parts are held together by joiners and presentation selectors. */
const EMOJI =
  /^(?:[0-9#*]\uFE0F\u20E3|\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F)?(?:\u200D\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F)?)*)$/u;
/** Scripts whose spelling needs a joiner or a non-joiner after a letter. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Malayalam}\p{Script=Mongolian}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Syriac}\p{Script=Tamil}\p{Script=Telugu}]/u;
const WIDE =
  /^(?:[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\p{RI}\p{RI}|.\uFE0F)/u;

let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character: where it stands in the text (UTF-16 offsets), how it is shown, and on how many columns. */
export interface Cell {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly width: number;
}

/** The text with every hidden character as an escape, fit for a terminal and for one line of it. */
export function showHidden(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return cellsOf(text)
    .map((cell) => cell.text)
    .join('');
}

/** The same for a text of many lines: line breaks and tabs stay, and a CRLF breaks a line like any other. */
export function showHiddenLines(text: string): string {
  return text
    .split(/\r\n|\n/)
    .map((line) => line.split('\t').map(showHidden).join('\t'))
    .join('\n');
}

/** How a tab is shown where columns mean nothing. A cell of this text is a tab: no other character is shown so. */
export const TAB_ESCAPE = '\\u{9}';

/** The cells of a text. Tabs are escapes here, as other controls are; whoever knows the columns puts blanks there. */
export function cellsOf(text: string): readonly Cell[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment, index }) => {
    const shown = showCluster(segment);
    const width = shown === segment ? (WIDE.test(segment) ? 2 : 1) : widthOfMixed(shown);
    return { start: index, end: index + segment.length, text: shown, width };
  });
}

function showCluster(cluster: string): string {
  if (!UNUSUAL.test(cluster) || EMOJI.test(cluster)) return cluster;
  let shown = '';
  let before = '';
  let marks = 0;
  for (const char of cluster) {
    const isMark = /\p{M}/u.test(char);
    marks = isMark ? marks + 1 : 0;
    const isJoiner = (char === '\u200C' || char === '\u200D') && JOINING.test(before);
    const isShown = isJoiner || (!HIDDEN.test(char) && !(isMark && (before === '' || marks > MAX_MARKS)));
    shown += isShown ? char : escapeOf(char);
    before = char;
  }
  return shown;
}

/** Escapes are ASCII; what stands beside them in a cluster is a letter with marks and joiners. */
function widthOfMixed(shown: string): number {
  let width = 0;
  for (const char of shown) width += /[\p{M}\u200C\u200D]/u.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return width;
}

function escapeOf(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** JSON that says the same with every hidden character as a JSON escape. Outside strings JSON holds none but line breaks. */
export function showHiddenJson(json: string): string {
  return json.replace(new RegExp(HIDDEN.source, 'gu'), (char) =>
    char === '\n' ? char : Array.from({ length: char.length }, (_, unit) => jsonEscape(char.charCodeAt(unit))).join(''),
  );
}

function jsonEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
