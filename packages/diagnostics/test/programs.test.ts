import {
  DIAGNOSTIC_CODES,
  type Diagnostic,
  diagnostic,
  renderGithub,
  renderJson,
  renderSarif,
} from '@codicil/diagnostics';
import { expect, test } from 'vitest';

const range = { start: { line: 2, column: 9 }, end: { line: 2, column: 16 } };
const alias = diagnostic('frontmatter_alias', {
  path: '.elowen/rules/a b#ü:%.md',
  message: 'an alias',
  hint: 'Quote it.',
  range,
  facts: { glob: '**/*.ts', count: 2 },
});
const bare = diagnostic('module_empty', { path: '', message: 'it points at nothing' });
const odd = diagnostic('glob_suspicious', {
  path: 'x\u001B[2J\u202E\u2028\uD800.md',
  message: 'a\u009Bb\u{E0041}',
});

test('the JSON is the diagnostics themselves', () => {
  expect(JSON.parse(renderJson([alias, bare, odd]))).toEqual([alias, bare, odd]);
  expect(JSON.parse(renderJson([]))).toEqual([]);
});

test('the JSON and the SARIF log hold no hidden character', () => {
  for (const text of [renderJson([odd]), renderSarif([odd], { toolVersion: '1.2.3' })]) {
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  }
});

function sarif(diagnostics: readonly Diagnostic[]) {
  return JSON.parse(renderSarif(diagnostics, { toolVersion: '1.2.3' }));
}

test('the SARIF log has one run of one tool, with a rule for every code', () => {
  const log = sarif([]);
  expect(log.version).toBe('2.1.0');
  expect(log.$schema).toMatch(/sarif-2\.1\.0/);
  expect(log.runs).toHaveLength(1);
  const [run] = log.runs;
  expect(run.columnKind).toBe('utf16CodeUnits');
  expect(run.results).toEqual([]);
  expect(run.tool.driver).toMatchObject({ name: 'codicil', version: '1.2.3' });
  expect(run.tool.driver.rules).toEqual(
    Object.entries(DIAGNOSTIC_CODES).map(([id, { severity, summary }]) => ({
      id,
      shortDescription: { text: summary },
      defaultConfiguration: { level: severity },
    })),
  );
});

test('a SARIF result names its rule, its level, its place and its words', () => {
  const [run] = sarif([alias]).runs;
  const [result] = run.results;
  expect(run.tool.driver.rules[result.ruleIndex].id).toBe('frontmatter_alias');
  expect(result).toMatchObject({
    ruleId: 'frontmatter_alias',
    level: 'error',
    message: { text: 'an alias. Quote it.' },
  });
  expect(result.properties).toEqual({ facts: alias.facts });
  expect(result.locations).toEqual([
    {
      physicalLocation: {
        artifactLocation: { uri: '.elowen/rules/a%20b%23%C3%BC%3A%25.md', uriBaseId: '%SRCROOT%' },
        region: { startLine: 2, startColumn: 9, endLine: 2, endColumn: 16 },
      },
    },
  ]);
});

test('a SARIF result without a range has a place without a region', () => {
  const [result] = sarif([bare]).runs[0].results;
  expect(result.locations[0].physicalLocation).toEqual({ artifactLocation: { uri: './', uriBaseId: '%SRCROOT%' } });
});

test('every path has a URI that leads back to it', () => {
  for (const path of ['a:b', 'c:/d', '//x', 'a?b', 'a\nb', '[id]/(x)/@y/$z', 'a\\b', '100%']) {
    const [result] = sarif([{ ...bare, path }]).runs[0].results;
    const { uri } = result.locations[0].physicalLocation.artifactLocation;
    expect(uri).toMatch(/^[\w!'()*%./~-]+$/);
    expect(uri.split('/').map(decodeURIComponent).join('/')).toBe(path);
  }
});

test('a workflow command names the file, the place and the code', () => {
  expect(renderGithub([alias, bare])).toBe(
    '::error file=.elowen/rules/a b#ü%3A%25.md,line=2,col=9,endLine=2,endColumn=15,title=frontmatter_alias::an alias%0AQuote it.\n' +
      '::warning title=module_empty::it points at nothing\n',
  );
  expect(renderGithub([])).toBe('');
});

test('a range over several lines has no end column, and does not reach a line that it only touches', () => {
  const at = (line: number, column: number) => ({ ...alias, range: { ...range, end: { line, column } } });
  expect(renderGithub([at(4, 3)])).toContain(',line=2,col=9,endLine=4,title=');
  expect(renderGithub([at(4, 1)])).toContain(',line=2,col=9,endLine=3,title=');
});

test('nothing in a name or a message begins a command of its own', () => {
  const hostile = { ...bare, path: 'a\n::error::b,c=d:e%0A', message: 'x\r\n::stop-commands::y%', hint: '\x1b[2J' };
  expect(renderGithub([hostile])).toBe(
    '::warning file=a%0A%3A%3Aerror%3A%3Ab%2Cc=d%3Ae%250A,title=module_empty::x%0D%0A::stop-commands::y%25%0A\\u{1b}[2J\n',
  );
});
