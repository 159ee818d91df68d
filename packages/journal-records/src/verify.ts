import type { EntryId, JournalEntry, SessionId } from './entry.ts';
import { isJournalError, type StoreProblem, type VerifyReport } from './journal.ts';
import { unsealEntry } from './seal.ts';
import type { JournalStore, StoredEntry, StoredHead } from './store.ts';

/** Reads everything that a store holds: what is wrong with the store itself, each entry, and each session against its entries. */
export async function verifySessions(store: JournalStore): Promise<VerifyReport> {
  const problems: StoreProblem[] = [...(await store.verify())];
  const known = new Map<EntryId, number>();
  const heads = new Map<SessionId, StoredHead>();
  let entries = 0;
  for (const sessionId of await sessionsOf(store, problems)) {
    try {
      const head = await store.head(sessionId);
      if (head !== undefined) heads.set(sessionId, head);
    } catch (error) {
      problems.push(asProblem(sessionId, error));
    }
  }
  const parents: { readonly sessionId: SessionId; readonly entry: JournalEntry }[] = [];
  for (const [sessionId, head] of heads) {
    const found = await scanSession(store, sessionId, head, problems, (entry) => {
      known.set(entry.id, entry.depth);
      parents.push({ sessionId, entry });
    });
    entries += found.count;
    const corrupt = (message: string): void => void problems.push({ sessionId, kind: 'corrupt', message });
    if (found.count !== head.entries)
      corrupt(`session ${sessionId} counts ${head.entries} entries and ${found.count} are there`);
    if (head.leaf !== (found.last ?? head.forkedFrom?.at ?? null)) {
      corrupt(`the leaf of session ${sessionId} is not the last entry that was appended to it`);
    }
  }
  for (const { sessionId, entry } of parents) {
    const depth = entry.parentId === null ? -1 : known.get(entry.parentId);
    if (depth === entry.depth - 1) continue;
    const message =
      depth === undefined
        ? `entry ${entry.id}: the entry before it, ${entry.parentId}, is missing`
        : `entry ${entry.id} is at depth ${entry.depth}, and the one before it at ${depth}`;
    problems.push({ sessionId, kind: 'corrupt', message });
  }
  for (const [sessionId, { forkedFrom }] of heads) {
    if (forkedFrom === null || forkedFrom.at === null || known.has(forkedFrom.at)) continue;
    const message = `session ${sessionId} was forked from an entry that is missing: ${forkedFrom.at}`;
    problems.push({ sessionId, kind: 'corrupt', message });
  }
  return { sessions: heads.size, entries, problems };
}

async function sessionsOf(store: JournalStore, problems: StoreProblem[]): Promise<readonly SessionId[]> {
  try {
    return [...(await store.sessions())].sort();
  } catch (error) {
    if (!isJournalError(error) || error.code !== 'journal_corrupt') throw error;
    problems.push({ sessionId: undefined, kind: 'corrupt', message: error.message });
    return [];
  }
}

/** Looks at the entries as far as the leaf that the session had: those that others append meanwhile are left out. */
async function scanSession(
  store: JournalStore,
  sessionId: SessionId,
  head: StoredHead,
  problems: StoreProblem[],
  visit: (entry: JournalEntry) => void,
): Promise<{ readonly count: number; readonly last: EntryId | undefined }> {
  let count = 0;
  let last: EntryId | undefined;
  let isPast = head.entries === 0;
  try {
    for await (const scanned of store.scan(sessionId)) {
      if (scanned.kind === 'damage') problems.push({ sessionId, kind: 'corrupt', message: scanned.message });
      else if (scanned.kind === 'torn') problems.push({ sessionId, kind: 'torn-tail', message: scanned.message });
      else if (!isPast) {
        count++;
        last = scanned.stored.id;
        const entry = soundEntry(scanned.stored, sessionId, problems);
        if (entry !== undefined) visit(entry);
        isPast = last === head.leaf;
      }
    }
  } catch (error) {
    problems.push(asProblem(sessionId, error));
  }
  return { count, last };
}

function soundEntry(stored: StoredEntry, sessionId: SessionId, problems: StoreProblem[]): JournalEntry | undefined {
  try {
    const entry = unsealEntry(stored);
    if (entry.sessionId === sessionId) return entry;
    const message = `entry ${entry.id} belongs to session ${entry.sessionId} and lies in session ${sessionId}`;
    problems.push({ sessionId, kind: 'corrupt', message });
  } catch (error) {
    problems.push(asProblem(sessionId, error));
  }
  return undefined;
}

function asProblem(sessionId: SessionId, error: unknown): StoreProblem {
  const message = isJournalError(error) ? error.message : `session ${sessionId} cannot be read: ${String(error)}`;
  return { sessionId, kind: 'corrupt', message };
}
