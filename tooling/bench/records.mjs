import { hash } from 'node:crypto';

/** So many paths share the deliveries. */
const PATHS = 2_000;

/**
 * The delivery of one module, about as long as most: its text left out, its identity whole.
 * @param {number} index
 * @param {import('./measure.mjs').Random} next
 * @returns {import('@codicil/journal-records').InstructionsRecord}
 */
export function deliveryOf(index, next) {
  const relPath = `.elowen/rules/api/r${Math.floor(next() * PATHS)}.md`;
  const sha256 = /** @type {import('@codicil/journal-records').Sha256} */ (hash('sha256', `${relPath}${index}`));
  return {
    kind: 'turn-context',
    context: 'instructions',
    placement: 'after-message',
    text: '',
    details: {
      instructions: [{ relPath, sha256, supersedes: null }],
      removed: [],
    },
  };
}
