import { hash } from 'node:crypto';
import type { EntryId, InstructionsRecord, Journal, SessionId, Sha256 } from '@codicil/journal-records';
import type { ProviderRequest } from '@codicil/turn-context';

/** A request that was composed, as its record in the journal tells. */
export interface SentRequestRecord {
  /** Counts from 1 along the branch. */
  readonly number: number;
  /** The entry that the request was composed up to. */
  readonly leaf: EntryId | null;
  /** The record itself. */
  readonly entryId: EntryId;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number;
  /** Lower-case hexadecimal SHA-256 of the request, see {@link digestOf}. */
  readonly digest: Sha256;
  /** The instruction records that are new in this request, oldest first. */
  readonly delivered: readonly (InstructionsRecord['details'] & { readonly entryId: EntryId })[];
}

/** A hash over everything that the model receives, so that a stored request can be proved to be the one that was sent. */
export function digestOf(request: ProviderRequest): Sha256 {
  return hash('sha256', JSON.stringify({ system: request.system, messages: request.messages })) as Sha256;
}

/** Every request of the session's active branch, oldest first. */
export async function requestsOf(
  journal: Pick<Journal, 'branch'>,
  sessionId: SessionId,
): Promise<readonly SentRequestRecord[]> {
  const requests: SentRequestRecord[] = [];
  let open:
    | { head: Omit<SentRequestRecord, 'delivered'>; delivered: SentRequestRecord['delivered'][number][] }
    | undefined;
  const close = (): void => {
    if (open !== undefined) requests.push({ ...open.head, delivered: open.delivered.reverse() });
  };
  for await (const entry of journal.branch(sessionId)) {
    if (entry.kind === 'request') {
      close();
      const { number, digest, parentId: leaf, id: entryId, at } = entry;
      open = { head: { number, digest, leaf, entryId, at }, delivered: [] };
    } else if (entry.kind === 'turn-context' && entry.context === 'instructions') {
      open?.delivered.push({ ...entry.details, entryId: entry.id });
    }
  }
  close();
  return requests.reverse();
}
