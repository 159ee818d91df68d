import { readFileSync } from 'node:fs';
import { DIAGNOSTIC_CODES } from '@codicil/diagnostics';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../../docs/diagnostics.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` +\| (\w+) +\| (.+?) +\| (.+?) +\|$/gm)].map(
  ([, code, severity, when, what]) => ({
    code,
    severity,
    when,
    what,
  }),
);

test('the page of codes says what the codes say, in their order', () => {
  const codes = Object.entries(DIAGNOSTIC_CODES).map(([code, { severity, summary }]) => [code, severity, summary]);
  expect(rows.map(({ code, severity, when }) => [code, severity, when])).toEqual(codes);
});

test('the page of codes says what to do about each, in a sentence of its own', () => {
  for (const { what } of rows) expect(what).toMatch(/^[A-Z`].{10,}\.$/);
  expect(new Set(rows.map(({ what }) => what)).size).toBe(rows.length);
});

test('a code is a name in lower case', () => {
  for (const code of Object.keys(DIAGNOSTIC_CODES)) expect(code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
});
