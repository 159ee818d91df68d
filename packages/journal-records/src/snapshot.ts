import { hash } from 'node:crypto';
import type { EntryId } from './entry.ts';
import type { DeliveredVersion, OpenClaim, Projection } from './projection.ts';

const VERSION = 1;
const SUM_DIGITS = 16;

/** A projection as text, with a checksum before it. `parseSnapshot` gives the same projection back. */
export function serializeSnapshot(projection: Projection): string {
  const { startup, delivered, claims, ...plain } = projection;
  const json = JSON.stringify({
    version: VERSION,
    ...plain,
    startup: [...startup],
    delivered: [...delivered],
    claims: [...claims].map(([id, { settles, before }]) => [id, settles, [...before]]),
  });
  return `${sumOf(json)}${json}`;
}

/** `undefined` for a text that is damaged, of another version, or of another entry than `leaf`: then it is as if there were none. */
export function parseSnapshot(text: string, leaf: EntryId): Projection | undefined {
  const json = text.slice(SUM_DIGITS);
  if (sumOf(json) !== text.slice(0, SUM_DIGITS)) return undefined;
  const { version, startup, delivered, claims, ...plain } = JSON.parse(json) as Stored;
  if (version !== VERSION || plain.leaf !== leaf) return undefined;
  return {
    ...plain,
    startupEntry: plain.startupEntry, // JSON leaves it out where there is none.
    startup: new Map(startup),
    delivered: new Map(delivered),
    claims: new Map(
      claims.map(([id, settles, before]): [EntryId, OpenClaim] => [id, { settles, before: new Map(before) }]),
    ),
  };
}

interface Stored extends Omit<Projection, 'startup' | 'delivered' | 'claims'> {
  readonly version: number;
  readonly startup: Pairs<Projection['startup']>;
  readonly delivered: [string, DeliveredVersion][];
  readonly claims: [EntryId, readonly string[], Pairs<OpenClaim['before']>][];
}

type Pairs<M> = M extends ReadonlyMap<infer K, infer V> ? [K, V][] : never;

function sumOf(json: string): string {
  return hash('sha256', json).slice(0, SUM_DIGITS);
}
