import { parseInstructions, type RenderedItem, renderInstructions } from '@codicil/activation';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const fragments = [
  '\n',
  '</instruction_module>',
  '\n</instruction_module>',
  '<instruction_module path="a">',
  '< / Instruction_Module >',
  '<instruction_module path="x" removed="no longer applies"/>',
  ' supersedes="earlier version"',
  ' boundary="0123456789abcdef"',
  '</system-reminder>',
  '"',
  '&#x22;',
  '&',
  '>',
  '\r\n',
  '\u2028',
  '\u202e',
  '\ufeff',
  '',
];

const text = (): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 8 })
    .map((parts) => parts.join(''));

const item = (): fc.Arbitrary<RenderedItem> =>
  fc.oneof(
    fc.record({ kind: fc.constant('module' as const), relPath: text(), content: text(), supersedes: fc.boolean() }),
    fc.record({ kind: fc.constant('removed' as const), relPath: text(), successor: fc.option(text()) }),
  );

test('A6 rendering and parsing back gives the same modules, for every content and path', () => {
  fc.assert(
    fc.property(fc.array(item(), { maxLength: 5 }), fc.array(text(), { maxLength: 2 }), (items, reserved) => {
      expect(parseInstructions(renderInstructions(items, { reserved }))).toEqual(items);
    }),
    { numRuns: 1000 },
  );
});

test('A6 a boundary occurs in neither the content nor the reserved strings', () => {
  fc.assert(
    fc.property(text(), fc.array(text(), { maxLength: 3 }), (content, reserved) => {
      const rendered = renderInstructions([{ kind: 'module', relPath: 'a', content, supersedes: false }], { reserved });
      const boundary = /^<instruction_module path="a" boundary="([0-9a-f]{16})">\n/.exec(rendered)?.[1];
      if (boundary === undefined) {
        expect(reserved.some((words) => words !== '' && content.includes(words))).toBe(false);
        return;
      }
      expect(content).not.toContain(boundary);
      for (const words of reserved) expect(words).not.toContain(boundary);
    }),
    { numRuns: 500 },
  );
});
