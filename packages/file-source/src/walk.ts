import type { Place, World, WorldNode } from './world.ts';

/** What a walk through folders and links came to. */
export type Walk =
  /** `trail` holds every node that was passed, links included. */
  | { readonly kind: 'found'; readonly node: WorldNode; readonly place: Place; readonly trail: readonly WorldNode[] }
  /** `place` is where it would lie. */
  | { readonly kind: 'missing'; readonly place: Place }
  /** Links are not to be followed, and here is one. `depth` counts the names before it. */
  | { readonly kind: 'link'; readonly depth: number }
  | { readonly kind: 'loop' }
  /** A folder on the way may not be searched. */
  | { readonly kind: 'denied' };

/** As many as Linux follows. */
const MOST_LINKS = 40;
const SEARCH = 0o100;

/** Walks from the top of the world, as an operating system does. */
export function walk(world: World, from: Place, links: 'follow' | 'stop'): Walk {
  const pending = [...from].reverse();
  const names: string[] = [];
  const nodes: WorldNode[] = [world.top];
  const trail: WorldNode[] = [];
  let followed = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const folder = nodes.at(-1);
    if (folder?.kind !== 'folder') return { kind: 'missing', place: textually([...names, name, ...pending.reverse()]) };
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (names.pop() !== undefined) nodes.pop();
      continue;
    }
    if ((folder.mode & SEARCH) === 0) return { kind: 'denied' };
    const child = world.child(folder, name);
    if (child === undefined) return { kind: 'missing', place: textually([...names, name, ...pending.reverse()]) };
    trail.push(child.node);
    if (child.node.kind !== 'link') {
      names.push(child.name);
      nodes.push(child.node);
      continue;
    }
    if (links === 'stop') return { kind: 'link', depth: names.length };
    followed += 1;
    if (followed > MOST_LINKS) return { kind: 'loop' };
    const target = world.segments(child.node.target);
    if (target.absolute) {
      names.length = 0;
      nodes.length = 1;
    }
    pending.push(...[...target.names].reverse());
  }
  return { kind: 'found', node: nodes.at(-1) ?? world.top, place: names, trail };
}

/** Below a place that does not exist, `..` can only be taken by its spelling. */
function textually(names: readonly string[]): Place {
  const place: string[] = [];
  for (const name of names) {
    if (name === '..') place.pop();
    else if (name !== '' && name !== '.') place.push(name);
  }
  return place;
}
