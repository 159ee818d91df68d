import { expect, test } from 'vitest';

test('the package exports these names', async () => {
  expect(Object.keys(await import('@codicil/session')).sort()).toEqual([
    'SessionError',
    'digestOf',
    'isSessionError',
    'openSession',
    'requestsOf',
  ]);
});
