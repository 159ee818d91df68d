import { joinPath, type ProjectPath } from '@codicil/project-path';
import { placeBelow, projectPathOf, rootStands } from './confine.ts';
import type { Entry, ListOptions, ListOutcome } from './contract.ts';
import type { MemoryState } from './reading.ts';
import { sourceRefusals as refusals } from './refusals.ts';
import { stampOf } from './stamps.ts';
import { walk } from './walk.ts';
import type { WorldNode } from './world.ts';

const READ = 0o400;

export async function listFolder(state: MemoryState, folder: ProjectPath, o: ListOptions): Promise<ListOutcome> {
  await state.faults.pass(o.signal);
  state.counts.lists += 1;
  if (state.faults.listFails(folder)) {
    return { kind: 'unavailable', diagnostic: refusals.unreadable(folder, 'the listing failed') };
  }
  if (!rootStands(state.world, state.root)) return { kind: 'unavailable', diagnostic: refusals.rootGone(folder) };
  const found = walk(state.world, placeBelow(state.root, folder), 'stop');
  switch (found.kind) {
    case 'missing':
      return { kind: 'absent' };
    case 'link':
    case 'loop':
      return { kind: 'refused', diagnostic: refusals.folderLink(folder) };
    case 'denied':
      return { kind: 'unavailable', diagnostic: refusals.denied(folder) };
    case 'found':
      break;
  }
  const { node } = found;
  if (node.kind !== 'folder') return { kind: 'refused', diagnostic: refusals.notFolder(folder) };
  if ((node.mode & READ) === 0) return { kind: 'unavailable', diagnostic: refusals.denied(folder) };
  if (node.entries.size > o.maxEntries) {
    return { kind: 'refused', diagnostic: refusals.truncated(folder, o.maxEntries) };
  }
  const entries = [...node.entries].map(([name, entry]) => entryOf(state, joinPath(folder, name), name, entry));
  return { kind: 'entries', entries, stamp: stampOf(state.world, found, 'folder') };
}

function entryOf(state: MemoryState, path: ProjectPath, name: string, node: WorldNode): Entry {
  switch (node.kind) {
    case 'file':
    case 'folder':
      return { name, kind: node.kind, linked: false, refusal: undefined };
    case 'special':
      return { name, kind: 'other', linked: false, refusal: refusals.notRegular(path, 'special') };
    case 'link':
      return linkEntry(state, path, name);
  }
}

function linkEntry({ world, root }: MemoryState, path: ProjectPath, name: string): Entry {
  const other = (refusal: Entry['refusal']): Entry => ({ name, kind: 'other', linked: true, refusal });
  const found = walk(world, placeBelow(root, path), 'follow');
  switch (found.kind) {
    case 'missing':
      return other(refusals.dangling(path));
    case 'denied':
      return other(refusals.denied(path));
    case 'loop':
    case 'link':
      return other(refusals.loop(path));
    case 'found':
      break;
  }
  if (projectPathOf(root, found.place) === undefined) return other(refusals.escape(path));
  if (found.node.kind === 'folder') return other(refusals.folderLink(path));
  if (found.node.kind !== 'file') return other(refusals.notRegular(path, 'special'));
  return { name, kind: 'file', linked: true, refusal: undefined };
}
