import { hash } from 'node:crypto';

/** The version of the format that this package writes and reads. */
export const VERSION = 2;

/** One line: the JSON of a record, its length in bytes, and a checksum. A line is JSON itself. */
export type Line =
  | { readonly kind: 'record'; readonly json: string; readonly length: number }
  | { readonly kind: 'blank' }
  | { readonly kind: 'bad'; readonly why: string };

const SUM_DIGITS = 16;
const HEAD = /^\{"length":(\d{1,10}),"sum":"([0-9a-f]{16})","record":/;
/** Longer than the longest head. */
const MAX_HEAD = 64;
const MARK_DIGITS = 15;
const MARK = /^\{"acknowledged": *(\d+),"sum":"([0-9a-f]{16})"\}$/;

/** The session is part of the sum, so that a line of another session's file is damage. The header, which names it, goes without. */
function checksum(sessionId: string, text: string): string {
  return hash('sha256', sessionId === '' ? text : `${sessionId}\n${text}`).slice(0, SUM_DIGITS);
}

/**
 * A record as it is written: the line break comes first, so that whatever a dead writer left unfinished before it is closed by it, and the
 * record begins on a line of its own.
 */
export function frame(json: string, sessionId: string): string {
  return `\n{"length":${Buffer.byteLength(json)},"sum":"${checksum(sessionId, json)}","record":${json}}`;
}

/** Reads one line, without its line break. */
export function parseLine(line: Buffer, sessionId: string): Line {
  const bytes = withoutZeros(line);
  if (bytes.length === 0) return line.length === 0 ? { kind: 'blank' } : bad('it is zeros');
  const head = HEAD.exec(bytes.toString('latin1', 0, MAX_HEAD));
  if (head === null) return bad('it is no record of a journal');
  const start = head[0].length;
  const length = Number(head[1]);
  if (bytes.length < start + length + 1) return bad('it was cut off');
  if (bytes.length > start + length + 1 || bytes[start + length] !== 0x7d) return bad('it is longer than it says');
  const json = bytes.toString('utf8', start, start + length);
  if (checksum(sessionId, json) !== head[2]) return bad('its checksum does not fit');
  return { kind: 'record', json, length: bytes.length };
}

/** Whether the line is a record whose JSON begins so; its checksum is not looked at. */
export function beginsWith(line: Buffer, json: string): boolean {
  const text = line.toString('latin1', 0, MAX_HEAD + json.length);
  const head = HEAD.exec(text);
  return head !== null && text.startsWith(json, head[0].length);
}

/** So many bytes of the file were acknowledged, at least. It always has the same length, to be rewritten in its place. */
export function markText(sessionId: string, acknowledged: number): string {
  const digits = String(acknowledged);
  return `{"acknowledged":${digits.padStart(MARK_DIGITS)},"sum":"${checksum(sessionId, digits)}"}`;
}

/** Bytes of a mark. */
export const MARK_LENGTH: number = markText('', 0).length;

/** `undefined` for a mark that is damaged. */
export function parseMark(text: string, sessionId: string): number | undefined {
  const [, digits = '', sum] = MARK.exec(text) ?? [];
  return text.length === MARK_LENGTH && sum === checksum(sessionId, digits) ? Number(digits) : undefined;
}

/** A file system that lost power may leave zeros where a write was to go. */
function withoutZeros(line: Buffer): Buffer {
  let end = line.length;
  while (end > 0 && line[end - 1] === 0) end--;
  return line.subarray(0, end);
}

function bad(why: string): Line {
  return { kind: 'bad', why };
}
