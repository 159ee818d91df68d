/** One key with a list of strings, as the hand path read it. Offsets are UTF-16 units of the block. */
export interface PlainList {
  readonly key: string;
  readonly keyStart: number;
  readonly items: readonly string[];
  /** Start and end of each item's text, quotes left out. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

// Quoted text that reads as it is written: no escape, no control character, no line or paragraph separator.
const DOUBLE = String.raw`"([^"\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]*)"`;
const SINGLE = String.raw`'([^'\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]*)'`;
const COMMENT = String.raw`(?:[ ]+#[\t -~]*)?`;
const END = String.raw`(?:\r?\n|$)`;

/** Begins with a letter, a slash, or a dot before a letter: no indicator, and no number but the words below. */
const PLAIN = String.raw`((?:\.[A-Za-z]|[A-Za-z/])[A-Za-z0-9_./*$()+~^=@-]*)`;
const NOT_A_STRING = /^(?:null|true|false|\.inf|\.nan)$/i;

const EMPTY_LINE = /[ ]*(?:#[\t -~]*)?\r?\n/y;
const KEY = /([A-Za-z][A-Za-z0-9_-]*):/y;
const NEXT_LINE = new RegExp(`${COMMENT}[ ]*\\r?\\n`, 'y');
const BLOCK_ITEM = new RegExp(`([ ]*)-[ ]+(?:(?:${DOUBLE}|${SINGLE})${COMMENT}|${PLAIN})[ ]*${END}`, 'y');
const FLOW_OPEN = /[ ]+\[[ ]*/y;
const FLOW_ITEM = new RegExp(`(?:${DOUBLE}|${SINGLE})[ ]*([,\\]])[ ]*`, 'y');
const FLOW_END = new RegExp(`(?:#[\\t -~]*)?${END}`, 'y');

/**
 * Reads the one shape that nearly every block has, without a YAML parser: a key and a list of strings, one a line or in brackets on one
 * line. Answers only where the meaning in YAML is certain; everything else is `undefined`, faults included.
 */
export function readPlainList(block: string, knownKeys: readonly string[]): PlainList | undefined {
  const keyStart = skipEmptyLines(block, 0);
  const key = run(KEY, block, keyStart)?.[1];
  if (key === undefined || NOT_A_STRING.test(key) || !knownKeys.includes(key)) return undefined;
  const at = KEY.lastIndex;
  const items: string[] = [];
  const spans: [number, number][] = [];
  const end = run(NEXT_LINE, block, at)
    ? readBlockItems(block, NEXT_LINE.lastIndex, items, spans)
    : readFlowItems(block, at, items, spans);
  if (end === -1 || skipEmptyLines(block, end) !== block.length) return undefined;
  return { key, keyStart, items, spans };
}

function readBlockItems(block: string, start: number, items: string[], spans: [number, number][]): number {
  let at = start;
  let indent: number | undefined;
  while (at < block.length) {
    at = skipEmptyLines(block, at);
    const found = run(BLOCK_ITEM, block, at);
    if (found === undefined) break;
    const [line, blanks = '', double, single, plain] = found;
    indent ??= blanks.length;
    if (blanks.length !== indent) return -1;
    const text = double ?? single ?? plain ?? '';
    if (plain !== undefined && NOT_A_STRING.test(plain)) return -1;
    let from = at + blanks.length + 1;
    while (block[from] === ' ') from++;
    if (plain === undefined) from++;
    items.push(text);
    spans.push([from, from + text.length]);
    at += line.length;
  }
  return items.length === 0 ? -1 : at;
}

function readFlowItems(block: string, start: number, items: string[], spans: [number, number][]): number {
  if (run(FLOW_OPEN, block, start) === undefined) return -1;
  let at = FLOW_OPEN.lastIndex;
  for (;;) {
    const found = run(FLOW_ITEM, block, at);
    if (found === undefined) return -1;
    const text = found[1] ?? found[2] ?? '';
    items.push(text);
    spans.push([at + 1, at + 1 + text.length]);
    at = FLOW_ITEM.lastIndex;
    if (found[3] === ']') break;
  }
  // A `#` begins a comment only behind a blank.
  if (block[at] === '#' && block[at - 1] !== ' ') return -1;
  return run(FLOW_END, block, at) === undefined ? -1 : FLOW_END.lastIndex;
}

function skipEmptyLines(block: string, start: number): number {
  let at = start;
  while (run(EMPTY_LINE, block, at)) at = EMPTY_LINE.lastIndex;
  return at;
}

function run(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
