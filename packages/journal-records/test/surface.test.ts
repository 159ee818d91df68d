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
    'createMemoryJournal',
    'createMemoryStore',
    'emptyProjection',
    'floorAfter',
    'isJournalError',
    'isLatching',
    'openJournal',
    'parseSessionId',
    'planAppend',
    'projectBranch',
    'sealEntry',
    'sessionId',
    'unsealEntry',
  ]);
});

test('the conformance suite has an entry of its own', async () => {
  expect(Object.keys(await import('@codicil/journal-records/conformance')).sort()).toEqual([
    'journalConformance',
    'selectCases',
  ]);
});
