import { expect, test } from 'vitest';

test('the package exports these names and no others', async () => {
  expect(Object.keys(await import('@codicil/diagnostics')).sort()).toEqual([
    'DIAGNOSTIC_CODES',
    'boundDiagnostics',
    'diagnostic',
    'positionAt',
    'renderGithub',
    'renderJson',
    'renderSarif',
    'renderText',
    'showHidden',
    'showHiddenJson',
    'showHiddenLines',
  ]);
});
