import { expect, test } from 'vitest';

test('the package exports these names', async () => {
  expect(Object.keys(await import('@codicil/activation')).sort()).toEqual([
    'ActivationError',
    'isActivationError',
    'openActivation',
    'parseInstructions',
    'pathsToCheck',
    'planDelivery',
    'renderInstructions',
  ]);
});
