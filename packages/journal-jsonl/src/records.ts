import { type EntryId, JournalError, type SessionId, type StoredEntry } from '@codicil/journal-records';
import { VERSION } from './format.ts';

/** What a line holds. */
export type StoredRecord =
  /** An entry that someone tried to append: it is one of the session if the leaf before it is the expected one. */
  | { readonly kind: 'attempt'; readonly expected: EntryId | null; readonly stored: StoredEntry }
  | ({ readonly kind: 'snapshot' } & Snapshot)
  | ({ readonly kind: 'passed' } & Place);

/** What was kept for an entry, and where the session stood after everything before `upTo`: a shortcut that is never needed. */
export interface Snapshot {
  readonly of: EntryId;
  readonly upTo: number;
  readonly leaf: EntryId | null;
  readonly entries: number;
  readonly state: string;
}

/** A stretch of the file in which a write was cut off that no one was ever told of. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

export interface ForkPoint {
  readonly sessionId: SessionId;
  readonly at: EntryId | null;
}

/** The first record of each file. */
export interface Header {
  readonly sessionId: SessionId;
  readonly forkedFrom: ForkPoint | null;
}

export const SNAPSHOT = '{"snapshot":';
const PASSED = '{"passed":';

export function headerJson({ sessionId, forkedFrom }: Header): string {
  return JSON.stringify({ format: 'codicil-journal', version: VERSION, session: sessionId, forkedFrom });
}

export function attemptJson(expected: EntryId | null, { id, parentId, depth, body }: StoredEntry): string {
  return JSON.stringify({ expected, id, parentId, depth, body });
}

export function snapshotJson({ of, upTo, leaf, entries, state }: Snapshot): string {
  return JSON.stringify({ snapshot: of, upTo, leaf, entries, state });
}

export function passedJson({ from, to }: Place): string {
  return JSON.stringify({ passed: from, to });
}

export function isPassed(json: string): boolean {
  return json.startsWith(PASSED);
}

/** A record whose checksum was right, so that this version of the package wrote it. */
export function parseRecord(json: string): StoredRecord {
  const value = JSON.parse(json);
  if (json.startsWith(SNAPSHOT)) {
    const { snapshot: of, upTo, leaf, entries, state } = value;
    return { kind: 'snapshot', of, upTo, leaf, entries, state };
  }
  if (isPassed(json)) return { kind: 'passed', from: value.passed, to: value.to };
  const { expected, id, parentId, depth, body } = value;
  return { kind: 'attempt', expected, stored: { id, parentId, depth, body } };
}

/** Throws `journal_unknown_format` for another version than this package's. */
export function parseHeader(json: string, path: string): Header {
  const { format, version, session, forkedFrom } = JSON.parse(json);
  if (format === 'codicil-journal' && version === VERSION) return { sessionId: session, forkedFrom };
  const why =
    format !== 'codicil-journal'
      ? 'is not a journal: it does not begin with a header'
      : version === 1
        ? `has version 1 of the format, which an earlier pre-release made; this package reads ${VERSION}`
        : `has version ${version} of the format; this package reads ${VERSION}`;
  throw new JournalError('journal_unknown_format', `${path} ${why}`);
}
