import { isAscii } from 'node:buffer';
import { type Diagnostic, diagnostic, positionAt, type Range } from '@codicil/diagnostics';
import { byteOrderMarkLength } from '@codicil/frontmatter';
import type { ProjectPath } from '@codicil/project-path';
import { findHiddenCharacters } from './hidden-characters.ts';

const ESCAPE = 0x1b;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
/** A line of equals signs alone underlines a heading in Markdown, so it proves nothing. */
const CONFLICT_MARKERS = ['<<<<<<<', '>>>>>>>'];

/** The bytes as the engine's own buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What a model or a reader would stumble over in a body that is used all the same. The bytes are valid UTF-8. */
export function inspectBody(path: ProjectPath, bytes: Buffer, bodyStart: number): readonly Diagnostic[] {
  const body = bodyStart === 0 ? bytes : bytes.subarray(bodyStart);
  const marker = findConflictMarker(body);
  const mayHide = !isAscii(body) || body.includes(ESCAPE);
  if (marker === -1 && !mayHide) return NOTHING;

  const diagnostics: Diagnostic[] = [];
  if (marker !== -1) {
    const start = bodyStart + marker;
    diagnostics.push(
      diagnostic('merge_conflict', {
        path,
        message: 'the body holds the markers of an unresolved merge',
        hint: 'Keep one of the two sides and delete the marker lines: the model reads both sides and the markers.',
        range: rangeOf(bytes, start, 7),
      }),
    );
  }
  const hidden = mayHide ? findHiddenCharacters(body.toString('utf8')) : undefined;
  if (hidden !== undefined) {
    const start = bodyStart + Buffer.byteLength(body.toString('utf8').slice(0, hidden.index));
    diagnostics.push(
      diagnostic('hidden_characters', {
        path,
        message: `the body holds ${hidden.count === 1 ? 'a character' : `${hidden.count} characters`} that a reader does not see (${hidden.characters.join(', ')})`,
        hint: 'Delete them, or write what they stand for: the model reads what people cannot.',
        range: rangeOf(bytes, start, hidden.length),
        facts: { characters: hidden.characters, count: hidden.count },
      }),
    );
  }
  return diagnostics;
}

/** The name of a file that holds what a reader does not see. */
export function inspectName(path: ProjectPath): readonly Diagnostic[] {
  const hidden = findHiddenCharacters(path);
  if (hidden === undefined) return NOTHING;
  return [
    diagnostic('hidden_characters', {
      path,
      message: `the name of the file holds a character that a reader does not see (${hidden.characters.join(', ')})`,
      hint: 'Rename the file or its folder.',
      facts: { characters: hidden.characters, count: hidden.count },
    }),
  ];
}

const NOTHING: readonly Diagnostic[] = [];

/** The byte offset of the first conflict marker at the start of a line, or -1. */
function findConflictMarker(body: Buffer): number {
  let first = -1;
  for (const marker of CONFLICT_MARKERS) {
    for (let at = body.indexOf(marker); at !== -1; at = body.indexOf(marker, at + 1)) {
      if (first !== -1 && at > first) break;
      const before = at === 0 ? NEWLINE : body[at - 1];
      const after = body[at + marker.length] ?? NEWLINE;
      const startsLine = before === NEWLINE || before === RETURN;
      if (startsLine && (after === SPACE || after === NEWLINE || after === RETURN)) {
        first = at;
        break;
      }
    }
  }
  return first;
}

/** From a byte offset of the file, over UTF-16 units that stand on one line. A byte order mark has no column. */
function rangeOf(bytes: Buffer, start: number, length: number): Range {
  const text = bytes.toString('utf8', byteOrderMarkLength(bytes), start);
  const position = positionAt(text, text.length);
  return { start: position, end: { line: position.line, column: position.column + length } };
}
