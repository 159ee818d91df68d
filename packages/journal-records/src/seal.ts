import { hash, randomBytes } from 'node:crypto';
import { createEntry } from './draft.ts';
import type { Draft, EntryHead, EntryId, JournalEntry } from './entry.ts';
import { JournalError } from './journal.ts';
import type { StoredEntry } from './store.ts';
import { type Fields, faultIn, headShape, variantOf, variants } from './variants.ts';

/** Random bytes that keep two entries of the same content, place and time apart. */
const NONCE_BYTES = 6;
/** Hexadecimal digits of the hash: half of a SHA-256, which is against accidents and not against forgers. */
const HASH_DIGITS = 32;

/** An entry, and the form in which a store keeps it. */
export interface Sealed {
  readonly entry: JournalEntry;
  readonly stored: StoredEntry;
}

/**
 * Gives a checked draft its place and its id. The id is `NONCE-HASH`, and the hash goes over the nonce and the stored body, in which the parent's
 * id stands: an entry that was changed, or put after another one, no longer fits its id.
 */
export function sealEntry(head: Omit<EntryHead, 'id'>, draft: Draft): Sealed {
  const body = JSON.stringify(asStored({ ...head, ...draft }));
  const id = idOf(randomBytes(NONCE_BYTES).toString('hex'), body);
  const { parentId, depth } = head;
  return { entry: createEntry({ id, ...head }, draft), stored: { id, parentId, depth, body } };
}

/**
 * The entry that a store kept, after proving that it is the one of that id. Throws `journal_corrupt` when id, place and body do not fit together, or when
 * the body is no entry. A kind (or role, or context) of a later version becomes an `unknown` record with all its fields.
 */
export function unsealEntry({ id, parentId, depth, body }: StoredEntry): JournalEntry {
  if (idOf(id.slice(0, NONCE_BYTES * 2), body) !== id) throw damaged(id, 'what is stored does not fit its id');
  const entry = entryIn(id, body);
  if (entry.parentId !== parentId || entry.depth !== depth)
    throw damaged(id, 'it is stored in another place than it says');
  return entry;
}

function idOf(nonce: string, body: string): EntryId {
  return `${nonce}-${hash('sha256', `${nonce}\n${body}`).slice(0, HASH_DIGITS)}` as EntryId;
}

/** A record of a kind that this version does not know is written as the later version wrote it: its own kind, its fields beside the head. */
function asStored(entry: Omit<EntryHead, 'id'> & Draft): object {
  if (entry.kind !== 'unknown') return entry;
  const { kind: _unknown, originalKind, data, ...head } = entry;
  return { ...head, kind: originalKind, ...(data as object) };
}

function entryIn(id: EntryId, body: string): JournalEntry {
  const fields = fieldsIn(id, body);
  const headFault = faultIn(headShape, fields);
  if (headFault !== undefined) throw damaged(id, `\`${headFault}\` is not what an entry holds there`);
  if ((fields['parentId'] === null) !== (fields['depth'] === 0))
    throw damaged(id, 'only the first entry has no parent');
  const variant = variantOf(fields);
  if (variant === undefined) throw damaged(id, 'it does not say what it is');
  const shape = variants.get(variant);
  if (shape === undefined) {
    const { id: own, parentId, sessionId, depth, at, kind, ...data } = fields as EntryHead & Fields;
    return { id: own, parentId, sessionId, depth, at, kind: 'unknown', originalKind: String(kind), data };
  }
  const fault = faultIn(shape, fields);
  if (fault !== undefined) throw damaged(id, `\`${fault}\` is not what a ${variant} record holds there`);
  return fields as unknown as JournalEntry;
}

function fieldsIn(id: EntryId, body: string): Fields {
  try {
    return { id, ...(JSON.parse(body) as object) };
  } catch (cause) {
    throw new JournalError('journal_corrupt', `entry ${id}: it is not JSON`, { cause });
  }
}

function damaged(id: EntryId, why: string): JournalError {
  return new JournalError('journal_corrupt', `entry ${id} is damaged: ${why}`);
}
