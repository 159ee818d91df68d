import { expect, test } from 'vitest';

test('the package exports these names and no others', async () => {
  expect(Object.keys(await import('@codicil/journal-records')).sort()).toEqual([
    'BranchFold',
    'JournalError',
    'MAX_DRAFT_NESTING',
    'MAX_DRAFT_TEXT',
    'activeVersion',
    'advance',
    'checkDraft',
    'createEntry',
    'createEntryId',
    'createMemoryJournal',
    'createMemoryStore',
    'emptyProjection',
    'isJournalError',
    'parseSessionId',
    'projectBranch',
    'reviveEntry',
    'serializeEntry',
    'sessionId',
  ]);
});

test('the schema has an entry of its own, so that what does not read stored entries loads no schema library', async () => {
  expect(Object.keys(await import('@codicil/journal-records/schema')).sort()).toEqual(['parseEntry', 'serializeEntry']);
});

test('the conformance suite has an entry of its own', async () => {
  expect(Object.keys(await import('@codicil/journal-records/conformance')).sort()).toEqual([
    'journalConformance',
    'selectCases',
  ]);
});
