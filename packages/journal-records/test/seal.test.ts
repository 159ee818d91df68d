import {
  type Draft,
  type EntryId,
  isJournalError,
  type StoredEntry,
  sealEntry,
  sessionId,
  unsealEntry,
} from '@codicil/journal-records';
import { expect, test } from 'vitest';

const head = { parentId: 'e0' as EntryId, sessionId: sessionId('main'), depth: 1, at: 1_700_000_000_000 };

/** Sealed as it stands, whatever it is. */
function stored(fields: object): StoredEntry {
  return sealEntry(head, fields as Draft).stored;
}

function codeOf(entry: StoredEntry): string | undefined {
  try {
    unsealEntry(entry);
    return undefined;
  } catch (error) {
    return isJournalError(error) ? error.code : 'another error';
  }
}

test('a kind, role or context of a later version becomes an unknown record and is written as it was', () => {
  for (const fields of [
    { kind: 'hologram', colour: 'blue' },
    { kind: 'message', role: 'narrator', text: 'meanwhile' },
    { kind: 'turn-context', context: 'weather', placement: 'before-message' },
    JSON.parse('{"kind":"hologram","__proto__":{"x":1}}'),
  ]) {
    const { kind, ...data } = fields;
    const laid = stored(fields);
    const { id, ...entry } = unsealEntry(laid);
    expect(entry).toEqual({ ...head, kind: 'unknown', originalKind: kind, data });
    expect(JSON.parse(sealEntry(head, { kind: 'unknown', originalKind: kind, data }).stored.body)).toEqual({
      ...head,
      ...fields,
    });
    expect(id).toBe(laid.id);
  }
});

test.each<[string, object]>([
  ['no kind', {}],
  ['an empty kind', { kind: '' }],
  ['a message without a role', { kind: 'message', text: '' }],
  ['turn context without a context', { kind: 'turn-context' }],
  ['a known kind without its fields', { kind: 'startup' }],
  ['a session id that is a path', { sessionId: '../x', kind: 'rewind' }],
  ['a first entry with a parent', { depth: 0, kind: 'rewind' }],
  ['a later entry without a parent', { parentId: null, kind: 'rewind' }],
  ['half a depth', { depth: 0.5, kind: 'rewind' }],
  ['a time that is text', { at: 'now', kind: 'rewind' }],
  ['a hash in capitals', { kind: 'startup', text: '', modules: [{ relPath: 'a', sha256: 'A'.repeat(64) }] }],
  ['a request without a number', { kind: 'request', number: 0, digest: '0'.repeat(64), settles: [] }],
])('%s is not an entry, even where it fits its id', (_what, fields) => {
  expect(codeOf(stored(fields))).toBe('journal_corrupt');
});

test('J5 an entry that lies in another place than it says is damage', () => {
  const laid = stored({ kind: 'rewind' });
  expect(codeOf(laid)).toBeUndefined();
  expect(codeOf({ ...laid, depth: 2 })).toBe('journal_corrupt');
  expect(codeOf({ ...laid, parentId: 'e1' as EntryId })).toBe('journal_corrupt');
});

test('two entries of the same content, place and time have different ids', () => {
  const ids = Array.from({ length: 1000 }, () => stored({ kind: 'rewind' }).id);
  expect(new Set(ids).size).toBe(1000);
});
