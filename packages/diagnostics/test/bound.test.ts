import { boundDiagnostics, type Diagnostic, diagnostic } from '@codicil/diagnostics';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const found = (code: Diagnostic['code'], path: string, line: number): Diagnostic =>
  diagnostic(code, { path, message: `fault ${line}`, range: { start: { line, column: 1 }, end: { line, column: 2 } } });

test('of thousands of one code the first are told, and one that counts the rest', () => {
  const all = Array.from({ length: 5_000 }, (_, line) => found('frontmatter_alias', 'a.md', line + 1));
  const bounded = boundDiagnostics(all);
  expect(bounded).toHaveLength(21);
  expect(bounded.slice(0, 20)).toEqual(all.slice(0, 20));
  expect(bounded[20]).toMatchObject({
    code: 'frontmatter_alias',
    severity: 'error',
    path: 'a.md',
    range: { start: { line: 21 } },
    facts: { more: 4_980 },
  });
});

test('nothing is lost: what is told and what is counted are all there are, in their order', () => {
  const code = fc.constantFrom<Diagnostic['code']>('glob_braces', 'glob_empty');
  const any = fc.array(fc.tuple(code, fc.constantFrom('a.md', 'b.md')), { maxLength: 120 });
  fc.assert(
    fc.property(any, (list) => {
      const all = list.map(([each, path], line) => found(each, path, line + 1));
      const bounded = boundDiagnostics(all);
      const counted = bounded.reduce((sum, { facts }) => sum + Number(facts?.['more'] ?? 1), 0);
      expect(counted).toBe(all.length);
      const lines = bounded.map(({ range }) => range?.start.line ?? 0);
      expect(lines).toEqual([...lines].sort((a, b) => a - b));
      for (const path of ['a.md', 'b.md'])
        for (const each of ['glob_braces', 'glob_empty'])
          expect(bounded.filter((one) => one.code === each && one.path === path).length).toBeLessThanOrEqual(21);
      expect(boundDiagnostics(bounded)).toEqual(bounded);
    }),
  );
});
