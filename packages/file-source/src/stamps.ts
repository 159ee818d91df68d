import type { Stamp } from './contract.ts';
import type { Place, World, WorldNode } from './world.ts';

/** What a memory source remembers of a thing. */
interface MemoryStamp {
  readonly world: World;
  /** The way to the thing and what identifies its content, as text. */
  readonly print: string;
  /** Whether an equal print later proves that nothing changed. */
  readonly proves: boolean;
  readonly kind: 'file' | 'folder';
}

const stamps = new WeakMap<Stamp, MemoryStamp>();

/** The thing at the end of a walk. */
export interface Seen {
  readonly node: WorldNode;
  readonly place: Place;
  /** Every node on the way, links included: one that is replaced makes another print. */
  readonly trail: readonly WorldNode[];
}

/** Taken before the first byte is read: an edit during the read then shows. */
export function stampOf(world: World, seen: Seen, kind: 'file' | 'folder'): Stamp {
  const { node } = seen;
  const newest = Math.max(node.mtime, node.ctime);
  const links = node.kind === 'folder' && [...node.entries.values()].some((entry) => entry.kind === 'link');
  // An edit in the tick of the last one would leave every figure as it is, so a stamp taken within that tick proves nothing, ever.
  const proves = newest < world.clock.tick() && !links;
  const stamp = Object.freeze({}) as Stamp;
  stamps.set(stamp, { world, print: print(seen), proves, kind });
  return stamp;
}

/** The kind of thing that was stamped, if the stamp can prove anything here; `undefined` when not. */
export function provableKind(world: World, stamp: Stamp): 'file' | 'folder' | undefined {
  const known = stamps.get(stamp);
  return known?.world === world && known.proves ? known.kind : undefined;
}

export function matches(stamp: Stamp, seen: Seen): boolean {
  return stamps.get(stamp)?.print === print(seen);
}

function print({ node, place, trail }: Seen): string {
  const size = node.kind === 'file' ? node.bytes.length : 0;
  return JSON.stringify([place, trail.map(({ ino }) => ino), node.kind, node.ino, size, node.mtime, node.ctime]);
}
