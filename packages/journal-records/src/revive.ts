import type { EntryHead, JournalEntry } from './entry.ts';
import { JournalError } from './journal.ts';
import { variantOf, variants } from './variants.ts';

/**
 * What `serializeEntry` wrote, read back from a store that proves it unchanged by a checksum: the same answer as `parseEntry` of
 * `@codicil/journal-records/schema`, with the shape of the kind checked by hand and no schema library loaded. Throws `journal_corrupt`.
 */
export function reviveEntry(json: unknown): JournalEntry {
  if (typeof json !== 'object' || json === null) throw new JournalError('journal_corrupt', 'an entry is not an object');
  const fields = json as EntryHead & Readonly<Record<string, unknown>>;
  const variant = variantOf(fields);
  const shape = variants.get(variant ?? '');
  if (shape === undefined) {
    const { id, parentId, sessionId, depth, at, kind, ...data } = fields;
    return { id, parentId, sessionId, depth, at, kind: 'unknown', originalKind: String(kind), data };
  }
  for (const [field, isRight] of Object.entries(shape)) {
    if (!isRight(fields[field]))
      throw new JournalError('journal_corrupt', `entry ${fields.id}: \`${field}\` is damaged`);
  }
  return json as JournalEntry;
}
