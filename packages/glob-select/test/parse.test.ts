import { anyText } from '@codicil/arbitraries/globs';
import { parseGlob } from '@codicil/glob-select';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const codes = (text: string): readonly string[] => {
  const parsed = parseGlob(text);
  return parsed.kind === 'glob' ? parsed.warnings.map(({ code }) => code) : parsed.errors.map(({ code }) => code);
};

test.each([
  ['', ['glob_empty']],
  ['/src/**', ['glob_absolute']],
  ['//server/share/**', ['glob_absolute']],
  ['C:/src/**', ['glob_absolute']],
  ['c:\\src', ['glob_absolute', 'glob_backslash']],
  ['\\\\server\\share\\**', ['glob_absolute', 'glob_backslash']],
  ['src\\..\\x', ['glob_backslash', 'glob_parent_segment']],
  ['/', ['glob_absolute']],
  ['src\\x.ts', ['glob_backslash']],
  ['src/../x', ['glob_parent_segment']],
  ['../x', ['glob_parent_segment']],
  ['./src/**', ['glob_dot_segment']],
  ['src/./x', ['glob_dot_segment']],
  ['.', ['glob_dot_segment']],
  ['src//x', ['glob_empty_segment']],
  ['src/', ['glob_trailing_slash']],
  ['./a//b/', ['glob_dot_segment', 'glob_empty_segment', 'glob_trailing_slash']],
  ['x'.repeat(1_025), ['glob_too_long']],
])('%s is refused, with every fault at once', (text, expected) => {
  expect(parseGlob(text).kind).toBe('invalid');
  expect(codes(text)).toEqual(expected);
});

test.each([
  ['src/**', []],
  ['x'.repeat(1_024), []],
  ['app/[id]/(shop)/@slot/$x.tsx', []],
  ['app/{id}/page.tsx', []],
  ['.github/**', []],
  ['a:b/c', []],
  ['src/#gen/**', []],
  ['**/*.{ts,tsx}', ['glob_braces']],
  ['img{1..3}.png', ['glob_braces']],
  ['!src/**', ['glob_negation']],
  ['src/**,test/**', ['glob_suspicious']],
  ['“**/*.ts”', ['glob_suspicious']],
  ["'src/**'", ['glob_suspicious']],
  ['src/** ', ['glob_suspicious']],
  ['\u00a0src/**', ['glob_suspicious']],
  ['src\tx', ['glob_suspicious']],
  ['**.ts', ['glob_glued']],
  ['src/***', ['glob_glued']],
  ['src**/x', ['glob_glued']],
])('%s is a glob, and what is surely not meant is told', (text, expected) => {
  expect(parseGlob(text).kind).toBe('glob');
  expect(codes(text)).toEqual(expected);
});

test('a hint shows the spelling to use', () => {
  const hint = (text: string): string | undefined => {
    const parsed = parseGlob(text);
    return (parsed.kind === 'glob' ? parsed.warnings : parsed.errors)[0]?.hint;
  };
  expect(hint('./src//a\\b/')).toContain('"src/a/b');
  expect(hint('/src/**')).toBe('Write "src/**".');
  expect(hint('**/*.{ts,tsx}')).toBe('Write a list: "**/*.ts", "**/*.tsx".');
  expect(hint('src/**, test/**')).toContain('"src/**", "test/**"');
  expect(hint('src/**.ts')).toBe('Write "src/**/*.ts".');
  expect(hint('C:\\src\\**')).toBe('Write "src/**".');
  expect(hint('src/**/')).toBe('Write "src/**".');
  expect(hint('src')).toBeUndefined();
  expect(hint('/')).toBeUndefined();
  expect(hint(`src/${'{a,b}'.repeat(60)}`)).toBe('Write one glob for each alternative.');
});

test('a spelling that an error proposes is accepted', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const parsed = parseGlob(text);
      for (const { hint } of parsed.kind === 'invalid' ? parsed.errors : []) {
        const proposed = hint === undefined ? undefined : /^Write "(.*)"\.$/s.exec(hint)?.[1];
        if (proposed !== undefined) expect(parseGlob(proposed)).toMatchObject({ kind: 'glob' });
      }
    }),
    { numRuns: 2_000 },
  );
});

test('any text is read without a throw, and spans lie inside it', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const parsed = parseGlob(text);
      const findings = [...parsed.warnings, ...(parsed.kind === 'invalid' ? parsed.errors : [])];
      for (const { span } of findings) {
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeGreaterThanOrEqual(span.start);
        expect(span.end).toBeLessThanOrEqual(text.length);
      }
      if (parsed.kind === 'glob') expect(parsed.glob).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});
