import {
  type DeliveredVersion,
  type EntryId,
  type JournalEntry,
  JournalError,
  type Projection,
  reviveEntry,
  type SessionId,
  type Sha256,
  serializeEntry,
} from '@codicil/journal-records';
import { VERSION } from './format.ts';

/** What a line holds. */
export type StoredRecord =
  /** The first record of each file. */
  | { readonly kind: 'header'; readonly sessionId: SessionId; readonly forkedFrom: ForkPoint | null }
  /** An entry that someone tried to append: it is one of the session if the leaf before it is the expected one. */
  | { readonly kind: 'attempt'; readonly expected: EntryId | null; readonly entry: JournalEntry }
  /** The state after everything before `upTo`: a shortcut that is never needed. */
  | { readonly kind: 'checkpoint'; readonly upTo: number; readonly entries: number; readonly projection: Projection };

export interface ForkPoint {
  readonly sessionId: SessionId;
  readonly at: EntryId | null;
}

export function headerJson(sessionId: SessionId, forkedFrom: ForkPoint | null): string {
  return JSON.stringify({ format: 'codicil-journal', version: VERSION, session: sessionId, forkedFrom });
}

export function attemptJson(expected: EntryId | null, entry: JournalEntry): string {
  return `{"expected":${JSON.stringify(expected)},"entry":${serializeEntry(entry)}}`;
}

export function checkpointJson(upTo: number, entries: number, projection: Projection): string {
  const { startup, delivered, ...plain } = projection;
  return JSON.stringify({
    checkpoint: upTo,
    entries,
    ...plain,
    startup: [...startup],
    delivered: [...delivered].map(([path, { sha256, entryId, depth }]) => [path, sha256, entryId, depth]),
  });
}

/** Whether the JSON of a record is a checkpoint, without reading all of it. */
export function isCheckpoint(json: string): boolean {
  return json.startsWith('{"checkpoint":');
}

/** A record whose checksum was right. Throws `JournalError` for what no version of this package wrote, and for a later version. */
export function parseRecord(json: string): StoredRecord {
  const value = JSON.parse(json) as Readonly<Record<string, unknown>>;
  if ('entry' in value)
    return { kind: 'attempt', expected: value['expected'] as EntryId | null, entry: reviveEntry(value['entry']) };
  if ('checkpoint' in value) {
    const { checkpoint, entries, startup, delivered, ...plain } = value;
    const versions = (delivered as [string, Sha256 | null, EntryId, number][]).map(
      ([path, sha256, entryId, depth]): [string, DeliveredVersion] => [path, { sha256, entryId, depth }],
    );
    const projection = {
      ...(plain as unknown as Projection),
      startup: new Map(startup as [string, Sha256][]),
      delivered: new Map(versions),
    };
    return { kind: 'checkpoint', upTo: checkpoint as number, entries: entries as number, projection };
  }
  if (value['format'] !== 'codicil-journal')
    throw new JournalError('journal_unknown_format', 'a record of no known kind');
  if (value['version'] !== VERSION) {
    throw new JournalError(
      'journal_unknown_format',
      `the file has version ${value['version']} of the format; this package reads ${VERSION}`,
    );
  }
  return {
    kind: 'header',
    sessionId: value['session'] as SessionId,
    forkedFrom: value['forkedFrom'] as ForkPoint | null,
  };
}
