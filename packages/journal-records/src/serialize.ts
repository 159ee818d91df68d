import type { JournalEntry } from './entry.ts';

/**
 * One line of JSON without a line break, from which `parseEntry` gives the same entry back. A record of a kind that this version does not know
 * is written as the later version wrote it: its own kind, its fields beside the head.
 */
export function serializeEntry(entry: JournalEntry): string {
  if (entry.kind !== 'unknown') return JSON.stringify(entry);
  const { kind: _unknown, originalKind, data, ...head } = entry;
  return JSON.stringify({ ...head, kind: originalKind, ...(data as object) });
}
