import { hash } from 'node:crypto';
import type {
  CustomRecord,
  EntryId,
  InstructionsRecord,
  Journal,
  JournalEntry,
  SessionId,
} from '@codicil/journal-records';
import type { ProviderRequest } from '@codicil/turn-context';

const NAME = 'codicil.request';

/** A request that was composed, as its marker in the journal tells. */
export interface RequestRecord {
  /** Counts from 1 along the branch. */
  readonly number: number;
  /** The entry that the request was composed up to. */
  readonly leaf: EntryId | null;
  /** The marker itself. */
  readonly entryId: EntryId;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number;
  /** Lower-case hexadecimal SHA-256 of the request, see {@link digestOf}. */
  readonly digest: string;
  /** The instruction records that are new in this request, oldest first. */
  readonly delivered: readonly (InstructionsRecord['details'] & { readonly entryId: EntryId })[];
}

/** A hash over everything that the model receives, so that a stored request can be proved to be the one that was sent. */
export function digestOf(request: ProviderRequest): string {
  return hash('sha256', JSON.stringify({ system: request.system, messages: request.messages }));
}

export function requestMarker(number: number, digest: string): CustomRecord {
  return { kind: 'custom', name: NAME, data: { number, digest } };
}

/** The number of the request that an entry marks; `undefined` for every other entry. */
export function markedRequest(entry: JournalEntry): { readonly number: number; readonly digest: string } | undefined {
  if (entry.kind !== 'custom' || entry.name !== NAME) return undefined;
  const { number, digest } = entry.data as { number?: unknown; digest?: unknown };
  return typeof number === 'number' && typeof digest === 'string' ? { number, digest } : undefined;
}

/** Every request of the session's active branch, oldest first. */
export async function requestsOf(journal: Journal, sessionId: SessionId): Promise<readonly RequestRecord[]> {
  const requests: RequestRecord[] = [];
  let open: { head: Omit<RequestRecord, 'delivered'>; delivered: RequestRecord['delivered'][number][] } | undefined;
  const close = (): void => {
    if (open !== undefined) requests.push({ ...open.head, delivered: open.delivered.reverse() });
  };
  for await (const entry of journal.branch(sessionId)) {
    const mark = markedRequest(entry);
    if (mark !== undefined) {
      close();
      open = { head: { ...mark, leaf: entry.parentId, entryId: entry.id, at: entry.at }, delivered: [] };
    } else if (entry.kind === 'turn-context' && entry.context === 'instructions') {
      open?.delivered.push({ ...entry.details, entryId: entry.id });
    }
  }
  close();
  return requests.reverse();
}
