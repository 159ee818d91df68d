import { posix, win32 } from 'node:path';
import { type ProjectPath, ROOT, within } from '@codicil/project-path';
import { placeBelow, projectPathOf, rootStands } from './confine.ts';
import type { Location } from './contract.ts';
import type { MemoryState } from './reading.ts';
import { sourceRefusals as refusals } from './refusals.ts';
import { walk } from './walk.ts';

/** `.` and `..` of the path are taken by their spelling, before any link is followed, as tools do that resolve paths before they use them. */
export async function locatePath(state: MemoryState, path: string, signal: AbortSignal | undefined): Promise<Location> {
  await state.faults.pass(signal);
  state.counts.locates += 1;
  const { world, root } = state;
  if (!rootStands(world, root)) return { kind: 'unavailable', diagnostic: refusals.rootGone(ROOT) };
  if (path.includes('\0')) return { kind: 'outside' };
  const named = namedPath(state, path);
  const found = walk(world, named === undefined ? absolutePlace(state, path) : placeBelow(root, named), 'follow');
  if (found.kind === 'denied') {
    // A place beyond a closed folder that no spelling puts inside is somebody else's.
    return named === undefined ? { kind: 'outside' } : { kind: 'unavailable', diagnostic: refusals.denied(named) };
  }
  const real = 'place' in found ? projectPathOf(root, found.place) : undefined;
  if (named === undefined && real === undefined) return { kind: 'outside' };
  return { kind: 'inside', named, real, firstLink: named === undefined ? undefined : firstLinkOf(state, named) };
}

/** By the spelling of the root that the source was opened with, or by its real one. */
function namedPath({ world, root, spelling }: MemoryState, path: string): ProjectPath | undefined {
  const rules = { platform: world.platform, ignoreCase: world.ignoresCase };
  return within(spelling, path, rules) ?? within(world.native(root), path, rules);
}

function absolutePlace({ world, spelling }: MemoryState, path: string): readonly string[] {
  const { resolve } = world.platform === 'win32' ? win32 : posix;
  return world.segments(resolve(spelling, path)).names;
}

function firstLinkOf({ world, root }: MemoryState, named: ProjectPath): ProjectPath | undefined {
  const found = walk(world, placeBelow(root, named), 'stop');
  if (found.kind !== 'link') return undefined;
  return named
    .split('/')
    .slice(0, found.depth - root.length + 1)
    .join('/') as ProjectPath;
}
