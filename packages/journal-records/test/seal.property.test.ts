import { deepStrictEqual } from 'node:assert/strict';
import { anyDraft, anyJson } from '@codicil/arbitraries/conversations';
import {
  checkDraft,
  type Draft,
  isJournalError,
  type Sealed,
  sealEntry,
  sessionId,
  unsealEntry,
} from '@codicil/journal-records';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const head = { parentId: null, sessionId: sessionId('main'), depth: 0, at: 0 };

function sealed(draft: Draft): Sealed {
  return sealEntry(head, checkDraft(draft));
}

test('what is written is read back equal', () => {
  fc.assert(
    fc.property(anyDraft(), (draft) => {
      const { entry, stored } = sealed(draft);
      expect(stored.body).not.toMatch(/[\n\r]/);
      deepStrictEqual(unsealEntry(stored), JSON.parse(JSON.stringify(entry)));
    }),
  );
});

test('fields that a kind does not name are read back too', () => {
  fc.assert(
    fc.property(anyDraft(), anyJson(), (draft, extra) => {
      fc.pre(draft.kind !== 'unknown');
      const extended: object = { ...draft, later: extra };
      const { entry, stored } = sealed(extended as Draft);
      deepStrictEqual(unsealEntry(stored), entry);
    }),
  );
});

test('J5 a stored entry of which any character changed is damage', () => {
  fc.assert(
    fc.property(anyDraft(), fc.nat(), fc.integer({ min: 1, max: 0xffff }), (draft, nth, change) => {
      const { stored } = sealed(draft);
      const at = nth % stored.body.length;
      const unit = String.fromCharCode(stored.body.charCodeAt(at) ^ change);
      const body = `${stored.body.slice(0, at)}${unit}${stored.body.slice(at + 1)}`;
      // Lone surrogates are one character in UTF-8, in which the hash is taken; a body as it was sealed has none.
      expect(() => unsealEntry({ ...stored, body })).toThrow(expect.objectContaining({ code: 'journal_corrupt' }));
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
  try {
    return unsealEntry(sealEntry(head, draft).stored).kind === draft.kind;
  } catch (error) {
    expect(isJournalError(error) && error.code).toBe('journal_corrupt');
    return false;
  }
}
