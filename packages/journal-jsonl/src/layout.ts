import { JournalError, type SessionId } from '@codicil/journal-records';
import type { Disk } from './disk.ts';
import { frame, MARK_LENGTH, markText, parseLine, parseMark } from './format.ts';
import { linesForward } from './lines.ts';
import { type Header, headerJson, parseHeader } from './records.ts';

/** The beginning of a file: its header, and right after it the mark of what was acknowledged. */
export interface Layout extends Header {
  /** The offset of the mark's line. */
  readonly markAt: number;
  /** Where the records begin: at the line break of the first. */
  readonly start: number;
}

const BREAK = 0x0a;

/** What a new file holds. */
export function beginning(header: Header): Buffer {
  const head = frame(headerJson(header), '');
  const length = Buffer.byteLength(head) + 1 + MARK_LENGTH;
  return Buffer.from(`${head}\n${markText(header.sessionId, length)}`);
}

/** Throws `journal_corrupt` for a journal whose header is damaged, and `journal_unknown_format` for what is no journal or one of another version. */
export function readLayout(disk: Disk, file: number, path: string): Layout {
  const size = disk.size(file);
  let isJournal = size === 0;
  for (const { offset, bytes } of linesForward(disk, file, 0, size)) {
    if (offset === 0 && bytes.length === 0) continue;
    const parsed = parseLine(bytes, '');
    if (offset === 1 && parsed.kind === 'record') {
      const markAt = offset + bytes.length + 1;
      return { ...parseHeader(parsed.json, path), markAt, start: markAt + MARK_LENGTH };
    }
    // A line that has at least the form of a record makes it a journal with a damaged header.
    isJournal ||= bytes.includes('"sum":"') || bytes.includes('"record":');
    if (isJournal) break;
  }
  if (isJournal) throw damaged(path, 0, 'it does not begin with its header');
  throw new JournalError('journal_unknown_format', `${path} is not a journal: it does not begin with a header`);
}

/**
 * So many bytes were acknowledged; `undefined` where the mark is damaged in its place, as by a power failure while it was rewritten. Throws `journal_corrupt` when it is
 * not in its place, or the file is shorter than it says. To be read before
 * the size of the file: what lies below it is whole.
 */
export function readMark(disk: Disk, file: number, path: string, { sessionId, markAt }: Layout): number | undefined {
  // A read may meet another process in the middle of its rewriting.
  const mark = readOnce() ?? readOnce();
  // The size comes second: both grow meanwhile.
  const size = disk.size(file);
  if (mark !== undefined && size < mark) {
    throw damaged(path, size, `it ends there, and ${mark} bytes of it were acknowledged`);
  }
  return mark;

  function readOnce(): number | undefined {
    const bytes = Buffer.alloc(MARK_LENGTH + 2);
    const count = disk.read(file, bytes, markAt - 1);
    const isClosed = count === bytes.length ? bytes[count - 1] === BREAK : count === bytes.length - 1;
    if (bytes[0] !== BREAK || !isClosed || bytes.subarray(1, MARK_LENGTH + 1).includes(BREAK)) {
      throw damaged(path, markAt, 'the mark of what was acknowledged is not in its place');
    }
    return parseMark(bytes.toString('latin1', 1, MARK_LENGTH + 1), sessionId);
  }
}

/** All of it in one call, or an error: what was written of it then is a cut-off write, closed by the next record. */
export function writeWhole(disk: Disk, file: number, text: string | Buffer): number {
  const bytes = Buffer.from(text);
  const count = disk.write(file, bytes);
  if (count !== bytes.length) throw new Error(`only ${count} of ${bytes.length} bytes could be written`);
  return count;
}

export function damaged(path: string, offset: number, why: string): JournalError {
  return new JournalError(
    'journal_corrupt',
    `${path} is damaged at byte ${offset}: ${why}; restore the file from a backup, or go on with what is sound of it: journal.salvage(session, newSession)`,
  );
}

export function isOfSession(layout: Layout, sessionId: SessionId, path: string): Layout {
  if (layout.sessionId === sessionId) return layout;
  throw damaged(path, 0, `it is the file of session ${layout.sessionId}`);
}
