import { deepStrictEqual } from 'node:assert/strict';
import { anyDraft, anyJson } from '@codicil/arbitraries/conversations';
import {
  checkDraft,
  createEntry,
  createEntryId,
  type Draft,
  isJournalError,
  type JournalEntry,
  serializeEntry,
  sessionId,
} from '@codicil/journal-records';
import { parseEntry } from '@codicil/journal-records/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';

function entryOf(draft: Draft): JournalEntry {
  const head = { id: createEntryId(), parentId: null, sessionId: sessionId('main'), depth: 0, at: 0 };
  return createEntry(head, checkDraft(draft));
}

test('what is written is read back equal', () => {
  fc.assert(
    fc.property(anyDraft(), (draft) => {
      const entry = entryOf(draft);
      const line = serializeEntry(entry);
      expect(line).not.toMatch(/[\n\r]/);
      deepStrictEqual(parseEntry(JSON.parse(line)), JSON.parse(JSON.stringify(entry)));
      deepStrictEqual(JSON.parse(serializeEntry(parseEntry(JSON.parse(line)))), JSON.parse(line));
    }),
  );
});

test('fields that a kind does not name are read back too', () => {
  fc.assert(
    fc.property(anyDraft(), anyJson(), (draft, extra) => {
      fc.pre(draft.kind !== 'unknown');
      const extended: object = { ...draft, later: extra };
      const entry = entryOf(extended as Draft);
      deepStrictEqual(parseEntry(JSON.parse(serializeEntry(entry))), entry);
    }),
  );
});

/** A draft with one field, at any depth, left out or replaced. */
function anyDamagedDraft(): fc.Arbitrary<unknown> {
  const value = fc.oneof(anyJson(), fc.constantFrom('', '0'.repeat(64), 'after-message', -1, 1.5, []));
  return fc.tuple(anyDraft(), fc.nat(), fc.option(value, { nil: undefined })).map(([draft, nth, replacement]) => {
    const copy: unknown = JSON.parse(JSON.stringify(draft));
    const places: (() => void)[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, child] of Object.entries(node)) {
        if (key === '__proto__') continue;
        places.push(() => {
          if (replacement === undefined && !Array.isArray(node)) Reflect.deleteProperty(node, key);
          else Reflect.set(node, key, replacement ?? null);
        });
        visit(child);
      }
    };
    visit(copy);
    places[nth % places.length]?.();
    return copy;
  });
}

test('a draft of a known kind is taken exactly when the entry of it could be read back as the same kind', () => {
  fc.assert(
    fc.property(anyDamagedDraft(), (damaged) => {
      const draft = damaged as Draft;
      fc.pre(draft.kind !== 'unknown');
      let isTaken = true;
      try {
        checkDraft(draft);
      } catch (error) {
        expect(isJournalError(error) && error.code).toBe('journal_invalid_draft');
        isTaken = false;
      }
      expect(isTaken).toBe(isReadBack(draft));
    }),
    { numRuns: 2000 },
  );
});

function isReadBack(draft: Draft): boolean {
  const head = { id: 'e', parentId: null, sessionId: 'main', depth: 0, at: 0 };
  try {
    return parseEntry(JSON.parse(JSON.stringify({ ...head, ...draft }))).kind === draft.kind;
  } catch (error) {
    expect(isJournalError(error) && error.code).toBe('journal_corrupt');
    return false;
  }
}
