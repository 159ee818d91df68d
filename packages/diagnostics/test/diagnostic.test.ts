import { DIAGNOSTIC_CODES, diagnostic, positionAt } from '@codicil/diagnostics';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test('the severity of a diagnostic follows from its code', () => {
  for (const [code, { severity }] of Object.entries(DIAGNOSTIC_CODES)) {
    const found = diagnostic(code as keyof typeof DIAGNOSTIC_CODES, { path: 'a.md', message: 'x' });
    expect(found).toEqual({ code, severity, path: 'a.md', message: 'x' });
  }
});

test('a position counts lines that end in any of the three ways', () => {
  const text = 'a\nb\r\nc\rd';
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((offset) => positionAt(text, offset))).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 2, column: 1 },
    { line: 2, column: 2 },
    { line: 2, column: 3 },
    { line: 3, column: 1 },
    { line: 3, column: 2 },
    { line: 4, column: 1 },
  ]);
});

test('a position is the one that cutting the text into lines gives', () => {
  const parts = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a', '\u{1F600}', '\u2028', '\uFEFF'), { maxLength: 12 });
  fc.assert(
    fc.property(parts, fc.nat(), (pieces, nth) => {
      const text = pieces.join('');
      const offset = nth % (text.length + 1);
      // Half of a line break is still the line that it ends.
      const isInside = text[offset - 1] === '\r' && text[offset] === '\n';
      const before = text.slice(0, offset - (isInside ? 1 : 0)).split(/\r\n|\n|\r/);
      const column = (before.at(-1)?.length ?? 0) + (isInside ? 2 : 1);
      expect(positionAt(text, offset)).toEqual({ line: before.length, column });
    }),
  );
});
