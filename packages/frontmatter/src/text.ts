import { isUtf8 } from 'node:buffer';
import { type Diagnostic, diagnostic, positionAt, type Range } from '@codicil/diagnostics';

/** The bytes as the engine's own buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** How many bytes a byte order mark takes at the start: 3 or 0. A second mark is text. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Whether a whole source is text: strict UTF-8 without a NUL. No diagnostics: it is. */
export function checkText(bytes: Uint8Array, path: string): readonly Diagnostic[] {
  if (!isUtf8(bytes)) return [notUtf8(bytes, path)];
  const buffer = bufferOf(bytes);
  const at = buffer.indexOf(0);
  if (at === -1) return NOTHING;
  const before = buffer.toString('utf8', byteOrderMarkLength(buffer), at);
  const start = positionAt(before, before.length);
  return [
    diagnostic('file_nul', {
      path,
      message: `the file holds a NUL character (byte ${at})`,
      hint: 'Delete the character, or save the file as UTF-8 text.',
      range: oneCharacter(start),
      facts: { byte: at },
    }),
  ];
}

const NOTHING: readonly Diagnostic[] = [];

function notUtf8(bytes: Uint8Array, path: string): Diagnostic {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return diagnostic('file_not_utf8', {
    path,
    message: isUtf16 ? 'the file is UTF-16, not UTF-8' : 'the file is not valid UTF-8',
    hint: 'Save the file as UTF-8.',
  });
}

function oneCharacter(start: { readonly line: number; readonly column: number }): Range {
  return { start, end: { line: start.line, column: start.column + 1 } };
}
