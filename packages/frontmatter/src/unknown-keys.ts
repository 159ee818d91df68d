import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { Block } from './block.ts';
import type { Yaml } from './document.ts';
import type { Entries } from './entries.ts';

/** Every key at the root that the caller does not know, with the one that was likely meant. */
export function findUnknownKeys(
  entries: Entries,
  block: Block,
  knownKeys: readonly string[],
  likelyKeys: Readonly<Record<string, string>>,
  yaml: Yaml,
): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  for (const { key } of entries.pairs) {
    const node = yaml.isNode(key) ? key : undefined;
    const name = yaml.isScalar(node) ? node.value : undefined;
    if (typeof name === 'string' && knownKeys.includes(name)) continue;
    if (name === '<<') continue;
    const [start, end] = node?.range ?? [0, 0, 0];
    const shown = block.text.slice(start, end).slice(0, 80);
    const likely = typeof name === 'string' ? likelyKey(name, knownKeys, likelyKeys) : undefined;
    const allowed = knownKeys.map((known) => `\`${known}\``).join(', ');
    faults.push(
      diagnostic('frontmatter_unknown_key', {
        path: block.path,
        message: `the key \`${shown}\` is not known`,
        hint: likely === undefined ? `Delete it: only ${allowed} may stand here.` : `Write \`${likely}\` instead.`,
        range: block.range(start, end),
        facts: { key: shown, ...(likely === undefined ? {} : { likely }) },
      }),
    );
  }
  return faults;
}

function likelyKey(
  name: string,
  knownKeys: readonly string[],
  likelyKeys: Readonly<Record<string, string>>,
): string | undefined {
  const folded = fold(name);
  for (const [written, meant] of Object.entries(likelyKeys)) if (fold(written) === folded) return meant;
  return knownKeys.find((known) => fold(known) === folded || isOneSlipAway(folded, fold(known)));
}

const fold = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[_\s-]/g, '');

/** One letter left out, added, changed, or swapped with its neighbour. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a.length < 3) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const restA = a.slice(start);
  const restB = b.slice(start);
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
