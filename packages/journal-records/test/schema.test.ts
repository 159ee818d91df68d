import { isJournalError, type JournalEntry, serializeEntry } from '@codicil/journal-records';
import { parseEntry } from '@codicil/journal-records/schema';
import { expect, test } from 'vitest';

const head = { id: 'e1', parentId: 'e0', sessionId: 'main', depth: 1, at: 1_700_000_000_000 };

function codeOf(json: unknown): string | undefined {
  try {
    parseEntry(json);
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
    { kind: 'unknown', data: 1, originalKind: 2 },
    JSON.parse('{"kind":"hologram","__proto__":{"x":1}}'),
  ]) {
    const { kind, ...data } = fields;
    const entry = parseEntry({ ...head, ...fields });
    expect(entry).toEqual({ ...head, kind: 'unknown', originalKind: kind, data });
    expect(JSON.parse(serializeEntry(entry))).toEqual({ ...head, ...fields });
  }
});

test.each<[string, unknown]>([
  ['no object', null],
  ['a list', []],
  ['no kind', head],
  ['an empty kind', { ...head, kind: '' }],
  ['a message without a role', { ...head, kind: 'message', text: '' }],
  ['turn context without a context', { ...head, kind: 'turn-context' }],
  ['a known kind without its fields', { ...head, kind: 'startup' }],
  ['an empty id', { ...head, id: '', kind: 'rewind' }],
  ['a session id that is a path', { ...head, sessionId: '../x', kind: 'rewind' }],
  ['a first entry with a parent', { ...head, depth: 0, kind: 'rewind' }],
  ['a later entry without a parent', { ...head, parentId: null, kind: 'rewind' }],
  ['half a depth', { ...head, depth: 0.5, kind: 'rewind' }],
  ['a time that is text', { ...head, at: 'now', kind: 'rewind' }],
  ['a hash in capitals', { ...head, kind: 'startup', text: '', modules: [{ relPath: 'a', sha256: 'A'.repeat(64) }] }],
])('%s is not an entry', (_what, json) => {
  expect(codeOf(json)).toBe('journal_corrupt');
});

test('an entry is read as it stands, without a copy', () => {
  const json = { ...head, kind: 'custom', name: 'x', data: [1] };
  expect(parseEntry(json)).toBe(json as unknown as JournalEntry);
});
