import type { Disk } from './disk.ts';

/** A line of a file: where it begins, and its bytes without the line break. */
export interface PlacedLine {
  readonly offset: number;
  readonly bytes: Buffer;
  /** Whether a line break follows: what does not end may still be growing. */
  readonly isClosed: boolean;
}

const CHUNK = 65_536;
const BREAK = 0x0a;

/** The lines from an offset, which begins a line, to an end; first to last. */
export function* linesForward(disk: Disk, file: number, from: number, to: number): Generator<PlacedLine> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = from;
  for (let position = from; position < to; ) {
    const buffer = Buffer.allocUnsafe(Math.min(Math.max(CHUNK, rest.length), to - position));
    const count = disk.read(file, buffer, position);
    if (count === 0) break;
    position += count;
    const chunk = rest.length === 0 ? buffer.subarray(0, count) : Buffer.concat([rest, buffer.subarray(0, count)]);
    let start = 0;
    for (let end = chunk.indexOf(BREAK); end !== -1; end = chunk.indexOf(BREAK, start)) {
      yield { offset: offset + start, bytes: chunk.subarray(start, end), isClosed: true };
      start = end + 1;
    }
    offset += start;
    rest = chunk.subarray(start);
  }
  if (rest.length > 0) yield { offset, bytes: rest, isClosed: false };
}

/** The lines before an end; last to first. */
export function* linesBackward(disk: Disk, file: number, to: number): Generator<PlacedLine> {
  let rest: Buffer = Buffer.alloc(0);
  let isClosed = false;
  for (let position = to; position > 0; ) {
    const length = Math.min(Math.max(CHUNK, rest.length), position);
    const buffer = Buffer.allocUnsafe(length);
    position -= length;
    disk.read(file, buffer, position);
    let chunk = rest.length === 0 ? buffer : Buffer.concat([buffer, rest]);
    for (let at = chunk.lastIndexOf(BREAK); at !== -1; at = at === 0 ? -1 : chunk.lastIndexOf(BREAK, at - 1)) {
      yield { offset: position + at + 1, bytes: chunk.subarray(at + 1), isClosed };
      isClosed = true;
      chunk = chunk.subarray(0, at);
    }
    rest = chunk;
  }
  if (rest.length > 0 || isClosed) yield { offset: 0, bytes: rest, isClosed };
}
