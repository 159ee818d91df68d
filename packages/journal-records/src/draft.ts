import type { Draft, EntryHead, JournalEntry } from './entry.ts';
import { JournalError } from './journal.ts';
import { copyJson } from './json.ts';
import { faultIn, headFields, isLaterKind, variantOf, variants } from './variants.ts';

/**
 * What every journal does with a draft before it writes: an own, frozen copy that JSON gives back unchanged, in the shape of its kind. Throws
 * `journal_invalid_draft` for another shape, a field of the entry head, a value that JSON would change, more than `MAX_DRAFT_TEXT`
 * characters, and an `unknown` record that would be read back as a known kind. Fields that the kind does not name are kept: a later
 * version may have added them. Whether a result has a call is not asked, as not every host records the calls.
 */
export function checkDraft(draft: Draft): Draft {
  if (typeof draft !== 'object' || draft === null || Array.isArray(draft)) refuse('it is not an object');
  const copy = copyJson(draft) as Draft;
  for (const field of headFields) if (Object.hasOwn(copy, field)) refuse(`the journal itself sets \`${field}\``);
  if (copy.kind === 'unknown') return checkUnknown(copy);
  const fields: Readonly<Record<string, unknown>> = { ...copy };
  const variant = variantOf(fields);
  const shape = variants.get(variant ?? '');
  if (shape === undefined)
    refuse(`${variant ?? 'it'} names no kind of record; a host's own kind is a \`custom\` record`);
  const fault = faultIn(shape, fields);
  if (fault !== undefined) refuse(`\`${fault}\` is not what a ${variant} record holds there`);
  return copy;
}

function checkUnknown(draft: Draft & { readonly kind: 'unknown' }): Draft {
  if (isLaterKind(draft.originalKind, draft.data) && Object.keys(draft).length === 3) return draft;
  return refuse(
    'an `unknown` record holds the name of a kind that this version does not know, and the other fields as `data`',
  );
}

function refuse(what: string): never {
  throw new JournalError('journal_invalid_draft', `the draft cannot be recorded: ${what}`);
}

/** The entry of a checked draft. */
export function createEntry(head: EntryHead, draft: Draft): JournalEntry {
  const { id, parentId, sessionId, depth, at } = head;
  return Object.freeze({ id, parentId, sessionId, depth, at, ...draft });
}
