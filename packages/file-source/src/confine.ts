import { type ProjectPath, ROOT } from '@codicil/project-path';
import type { ReadOptions, ReadOutcome } from './contract.ts';
import { sourceRefusals as refusals } from './refusals.ts';
import { walk } from './walk.ts';
import type { FileNode, Place, World, WorldNode } from './world.ts';

/** A regular file that may be read. */
export interface Opened {
  readonly kind: 'opened';
  readonly node: FileNode;
  readonly place: Place;
  readonly trail: readonly WorldNode[];
  readonly realPath: ProjectPath | undefined;
}

const READ = 0o400;

/** The project path of a place, `undefined` outside the root. */
export function projectPathOf(root: Place, place: Place): ProjectPath | undefined {
  if (place.length < root.length || root.some((name, index) => place[index] !== name)) return undefined;
  return place.length === root.length ? ROOT : (place.slice(root.length).join('/') as ProjectPath);
}

export function placeBelow(root: Place, path: ProjectPath): Place {
  return path === ROOT ? root : [...root, ...path.split('/')];
}

/** Whether the root is still a folder at its real place. */
export function rootStands(world: World, root: Place): boolean {
  if (world.away) return false;
  const found = walk(world, root, 'stop');
  return found.kind === 'found' && found.node.kind === 'folder';
}

/** Opens a file at one instant: what is proved here holds for the node that is read, whatever becomes of its name. */
export function open(world: World, root: Place, path: ProjectPath, links: ReadOptions['links']): Opened | ReadOutcome {
  if (!rootStands(world, root)) return { kind: 'unavailable', diagnostic: refusals.rootGone(path) };
  const place = placeBelow(root, path);
  const found = walk(world, place, 'follow');
  switch (found.kind) {
    case 'loop':
    case 'link':
      return { kind: 'refused', diagnostic: refusals.loop(path) };
    case 'denied':
      return { kind: 'unavailable', diagnostic: refusals.denied(path) };
    case 'missing':
      return isLink(world, place) ? { kind: 'absent', diagnostic: refusals.dangling(path) } : { kind: 'absent' };
    case 'found':
      break;
  }
  const realPath = projectPathOf(root, found.place);
  if (realPath === undefined && links === 'inside') return { kind: 'refused', diagnostic: refusals.escape(path) };
  const { node } = found;
  if (node.kind !== 'file') {
    return { kind: 'absent', diagnostic: refusals.notRegular(path, node.kind === 'folder' ? 'folder' : 'special') };
  }
  if ((node.mode & READ) === 0) return { kind: 'unavailable', diagnostic: refusals.denied(path) };
  return { kind: 'opened', node, place: found.place, trail: found.trail, realPath };
}

/** Whether the name itself, reached through whatever lies above it, is a link. */
function isLink(world: World, place: Place): boolean {
  const above = walk(world, place.slice(0, -1), 'follow');
  if (above.kind !== 'found' || above.node.kind !== 'folder') return false;
  return world.child(above.node, place.at(-1) ?? '')?.node.kind === 'link';
}
