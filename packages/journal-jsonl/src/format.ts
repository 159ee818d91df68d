import { hash } from 'node:crypto';

/** The version of the format that this package writes and reads. */
export const VERSION = 1;

/** One line: the JSON of a record, its length in bytes, and a checksum. A line is JSON itself. */
export type Line =
  | { readonly kind: 'record'; readonly json: string }
  /** The beginning of a record: a write that was cut off, and never acknowledged. */
  | { readonly kind: 'torn' }
  | { readonly kind: 'blank' }
  | { readonly kind: 'damaged'; readonly why: string };

const SUM_DIGITS = 16;
const HEAD = /^\{"length":(\d{1,10}),"sum":"([0-9a-f]{16})","record":/;
/** Longer than the longest head. */
const MAX_HEAD = 64;

function checksum(json: string | Uint8Array): string {
  return hash('sha256', json).slice(0, SUM_DIGITS);
}

/**
 * A record as it is written: the line break comes first, so that whatever a dead writer left unfinished before it is closed by it, and the
 * record begins on a line of its own.
 */
export function frame(json: string): string {
  return `\n{"length":${Buffer.byteLength(json)},"sum":"${checksum(json)}","record":${json}}`;
}

/** Reads one line, without its line break. */
export function parseLine(line: Buffer): Line {
  const bytes = withoutZeros(line);
  if (bytes.length === 0) return { kind: line.length === 0 ? 'blank' : 'torn' };
  const head = HEAD.exec(bytes.toString('latin1', 0, MAX_HEAD));
  if (head === null) {
    return isBeginningOfHead(bytes) ? { kind: 'torn' } : { kind: 'damaged', why: 'it is no record of a journal' };
  }
  const start = head[0].length;
  const length = Number(head[1]);
  if (bytes.length < start + length + 1) return { kind: 'torn' };
  const json = bytes.subarray(start, start + length);
  if (bytes.length > start + length + 1 || bytes[start + length] !== 0x7d) {
    return { kind: 'damaged', why: 'it is longer than it says' };
  }
  if (checksum(json) !== head[2]) return { kind: 'damaged', why: 'its checksum does not fit' };
  return { kind: 'record', json: json.toString('utf8') };
}

/** A file system that lost power may leave zeros where a write was to go. */
function withoutZeros(line: Buffer): Buffer {
  let end = line.length;
  while (end > 0 && line[end - 1] === 0) end--;
  return line.subarray(0, end);
}

/** Whether more bytes could make the text a head: it follows the form as far as it goes. */
function isBeginningOfHead(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const [length = '', sum = ''] = [/^\{"length":(\d{0,10})/.exec(text)?.[1], /"sum":"([0-9a-f]{0,16})/.exec(text)?.[1]];
  const form = `{"length":${length},"sum":"${sum}","record":`;
  return text.length < MAX_HEAD && form.startsWith(text);
}
