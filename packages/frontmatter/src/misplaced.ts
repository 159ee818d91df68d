import { type Diagnostic, diagnostic, positionAt } from '@codicil/diagnostics';

const LINES_LOOKED_AT = 20;
const NO_KEY = /(?!)/;

/** A plain letter, digit, `#` or `*` begins a body and nothing else: the text need not be decoded. */
const ORDINARY_START = /[#*A-Za-z0-9>([`!"'|@$%&]/;

/** What a reader does not see: blanks of every script, format characters, a byte order mark too many. */
const INVISIBLE = /[\ufe00-\ufe0f\s\p{Cf}\p{Cc}\u115f\u1160\u3164]+/uy;
const BLANKS = /[\s\p{Cf}]+/gu;
/** One long dash is enough: editors make it of two or three hyphens. */
const RULE =
  /^(?:[-\u2010-\u2015\u2212\u2500\u2501\ufe58\ufe63\uff0d_+=~]{2,}|[\u2012-\u2015\u2212\u2500\u2501\ufe58])$/u;
const CONFLICT_LINE = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

/** Whether a source without a proper opening fence was surely meant to have one: a scoped text must not become global by accident. */
export function judgeOpening(
  buffer: Buffer,
  start: number,
  path: string,
  tellingKeys: readonly string[],
): Diagnostic | undefined {
  const first = buffer[start];
  if (first === undefined || (first < 128 && ORDINARY_START.test(String.fromCharCode(first)))) return undefined;
  const text = buffer.toString('utf8', start);
  const keyLine = keyPattern(tellingKeys);

  const prefix = skipPrefix(text);
  const line = lineAt(text, prefix.end);
  const isFirst = prefix.end === 0;
  const goesOn = isFirst && line.startsWith('---') && !/^-+[ \t]*$/.test(line);
  const isFence = line.startsWith('---') || RULE.test(line.replace(BLANKS, ''));
  if (!goesOn && !(isFence && hasKeyBelow(text, prefix.end, keyLine))) return undefined;

  const from = positionAt(text, prefix.end);
  const range = { start: from, end: { line: from.line, column: from.column + Math.max(line.length, 1) } };
  if (prefix.hasConflict) {
    return diagnostic('frontmatter_conflict', {
      path,
      message: 'merge conflict markers stand before the frontmatter',
      hint: 'Keep one of the two sides and delete the marker lines.',
      range,
    });
  }
  return diagnostic('frontmatter_misplaced', {
    path,
    message: isFirst
      ? 'the first line looks like the fence of a frontmatter and is not exactly `---`'
      : 'a frontmatter must begin on the very first line, and something stands before this one',
    hint: isFirst
      ? 'Write three hyphens and nothing else on the line. A file that is to begin with a horizontal rule writes `***`.'
      : 'Delete what stands before the fence: blank lines, blanks, invisible characters, comments.',
    range,
  });
}

/** Passes over invisible characters, HTML comments and conflict markers; each character is looked at once. */
function skipPrefix(text: string): { readonly end: number; readonly hasConflict: boolean } {
  let end = 0;
  let hasConflict = false;
  for (;;) {
    INVISIBLE.lastIndex = end;
    if (INVISIBLE.test(text)) {
      end = INVISIBLE.lastIndex;
      continue;
    }
    if (text.startsWith('<!--', end)) {
      const close = text.indexOf('-->', end + 4);
      if (close === -1) return { end, hasConflict };
      end = close + 3;
      continue;
    }
    const line = lineAt(text, end);
    if (line === '' || !CONFLICT_LINE.test(line)) return { end, hasConflict };
    hasConflict = true;
    end += line.length;
  }
}

function lineAt(text: string, start: number): string {
  let end = start;
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++;
  return text.slice(start, end);
}

function hasKeyBelow(text: string, start: number, keyLine: RegExp): boolean {
  let at = start + lineAt(text, start).length;
  for (let count = 0; count < LINES_LOOKED_AT && at < text.length; count++) {
    at += text.startsWith('\r\n', at) ? 2 : 1;
    const line = lineAt(text, at);
    if (keyLine.test(line.slice(0, 200))) return true;
    at += line.length;
  }
  return false;
}

function keyPattern(keys: readonly string[]): RegExp {
  if (keys.length === 0) return NO_KEY;
  const names = keys.map((key) => key.replace(/[^A-Za-z0-9_]/g, '\\$&')).join('|');
  return new RegExp(`^[\\s\\ufeff\\u200b]{0,16}["']?(?:${names})["']?[ \\t]*[:=]`, 'i');
}
