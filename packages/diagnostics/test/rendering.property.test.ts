import { NAME_CHARACTERS } from '@codicil/arbitraries/names';
import {
  DIAGNOSTIC_CODES,
  type Diagnostic,
  diagnostic,
  renderGithub,
  renderJson,
  renderSarif,
  renderText,
  showHiddenJson,
  showHiddenLines,
} from '@codicil/diagnostics';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E0FFF}]/u;

function anyText(): fc.Arbitrary<string> {
  const unit = fc.oneof(
    fc.constantFrom(
      '\t',
      '\n',
      '\r',
      '\x1b[',
      '\x9b',
      '\u202E',
      '漢',
      'u\u0308',
      '\u200D',
      '\u{1F469}',
      '\uD83D',
      '%',
      ':',
      ',',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.string({ maxLength: 3 }),
    fc.constantFrom(...NAME_CHARACTERS),
  );
  return fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
}

function anyDiagnostic(): fc.Arbitrary<Diagnostic> {
  const position = fc.record({ line: fc.integer({ min: 1, max: 6 }), column: fc.integer({ min: 1, max: 20 }) });
  const range = fc.tuple(position, position).map(([a, b]) => {
    const isForward = a.line < b.line || (a.line === b.line && a.column <= b.column);
    return isForward ? { start: a, end: b } : { start: b, end: a };
  });
  const codes = Object.keys(DIAGNOSTIC_CODES) as (keyof typeof DIAGNOSTIC_CODES)[];
  return fc
    .record({
      code: fc.constantFrom(...codes),
      path: anyText(),
      message: anyText(),
      hint: fc.option(anyText(), { nil: undefined }),
      range: fc.option(range, { nil: undefined }),
    })
    .map(({ code, ...details }) => diagnostic(code, details));
}

test('whatever a file holds, no rendering hands a control to the terminal', () => {
  fc.assert(
    fc.property(fc.array(anyDiagnostic(), { maxLength: 4 }), anyText(), (diagnostics, source) => {
      const texts = [
        renderText(diagnostics, { source: () => source, color: false }),
        renderJson(diagnostics),
        renderSarif(diagnostics, { toolVersion: '0' }),
        renderGithub(diagnostics),
      ];
      for (const text of texts) expect(text.replaceAll('\n', '')).not.toMatch(HIDDEN);
    }),
  );
});

test('every diagnostic has a head line, and at most two lines below it', () => {
  fc.assert(
    fc.property(fc.array(anyDiagnostic(), { minLength: 1, maxLength: 4 }), anyText(), (diagnostics, source) => {
      const blocks = renderText(diagnostics, { source: () => source, color: false }).split('\n\n');
      expect(blocks).toHaveLength(diagnostics.length);
      for (const [index, block] of blocks.entries()) {
        const [head = '', ...below] = block.split('\n');
        expect(head).toContain(`  ${diagnostics[index]?.severity} ${diagnostics[index]?.code}  `);
        expect(below.length).toBeLessThanOrEqual(2);
        if (below.length === 2) expect(below[1]).toMatch(/^ +\| +\^+|^ +\| \^+/);
      }
    }),
  );
});

test('the colours are all that colour adds', () => {
  fc.assert(
    fc.property(anyDiagnostic(), anyText(), (found, source) => {
      const plain = renderText([found], { source: () => source, color: false });
      const colored = renderText([found], { source: () => source, color: true });
      expect(colored.replaceAll(/\x1b\[\d+m/g, '')).toBe(plain);
    }),
  );
});

test('JSON and SARIF are as many rows as diagnostics, and GitHub as many lines', () => {
  fc.assert(
    fc.property(fc.array(anyDiagnostic(), { maxLength: 4 }), (diagnostics) => {
      expect(JSON.parse(renderJson(diagnostics))).toEqual(JSON.parse(JSON.stringify(diagnostics)));
      expect(JSON.parse(renderSarif(diagnostics, { toolVersion: '0' })).runs[0].results).toHaveLength(
        diagnostics.length,
      );
      expect(renderGithub(diagnostics).split('\n')).toHaveLength(diagnostics.length + 1);
    }),
  );
});

test('a text of many lines keeps its line breaks and its tabs, and nothing else that is hidden', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const shown = showHiddenLines(text);
      expect(shown.replaceAll(/[\n\t]/g, '')).not.toMatch(HIDDEN);
      expect(shown.split('\n')).toHaveLength(text.split('\n').length);
      expect(showHiddenLines(shown)).toBe(shown);
    }),
  );
  expect(showHiddenLines('a\r\n\tb\rc\n')).toBe('a\n\tb\\u{d}c\n');
});

test('JSON with its hidden characters as escapes says the same', () => {
  fc.assert(
    fc.property(fc.array(anyText()), (texts) => {
      const shown = showHiddenJson(JSON.stringify(texts, null, 2));
      expect(shown.replaceAll('\n', '')).not.toMatch(HIDDEN);
      expect(JSON.parse(shown)).toEqual(texts);
    }),
  );
});
