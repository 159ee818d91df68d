import { hash } from 'node:crypto';

/** So many paths share the deliveries. */
const PATHS = 2_000;

/** The delivery of one module, about as long as most: its text left out, its identity whole. */
export function deliveryOf(index, next) {
  const relPath = `.elowen/rules/api/r${Math.floor(next() * PATHS)}.md`;
  return {
    kind: 'turn-context',
    context: 'instructions',
    placement: 'after-message',
    text: '',
    details: {
      instructions: [{ relPath, sha256: hash('sha256', `${relPath}${index}`), supersedes: null }],
      removed: [],
    },
  };
}
