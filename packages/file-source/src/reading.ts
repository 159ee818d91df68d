import type { ProjectPath } from '@codicil/project-path';
import { type Opened, open } from './confine.ts';
import type { ReadOptions, ReadOutcome } from './contract.ts';
import type { FaultPlan } from './faults.ts';
import { sourceRefusals as refusals } from './refusals.ts';
import { stampOf } from './stamps.ts';
import type { FileNode, Place, World } from './world.ts';

/** What the parts of a memory source share. */
export interface MemoryState {
  readonly world: World;
  /** The real place of the source's root. */
  readonly root: Place;
  /** The root as the source spells it. */
  readonly spelling: string;
  readonly faults: FaultPlan;
  readonly counts: { reads: number; lists: number; probes: number; locates: number };
  /** Bytes taken at a time; between two portions the world may change. */
  readonly portion: number;
}

/** A file that changed during this many attempts is called unstable. */
const ATTEMPTS = 3;

export async function readFile(state: MemoryState, path: ProjectPath, o: ReadOptions): Promise<ReadOutcome> {
  await state.faults.pass(o.signal);
  if (state.faults.readFails(path)) {
    return { kind: 'unavailable', diagnostic: refusals.unreadable(path, 'the read failed') };
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    state.counts.reads += 1;
    const opened = open(state.world, state.root, path, o.links);
    if (opened.kind !== 'opened') return opened;
    const stamp = stampOf(state.world, opened, 'file');
    const content = await readWhole(state, path, opened, o);
    if (content === 'oversized') return { kind: 'refused', diagnostic: refusals.oversized(path, o.maxBytes) };
    if (content !== 'changed') return { kind: 'file', path, realPath: opened.realPath, bytes: content, stamp };
  }
  return { kind: 'unavailable', diagnostic: refusals.unstable(path, ATTEMPTS) };
}

async function readWhole(
  state: MemoryState,
  path: ProjectPath,
  { node }: Opened,
  { maxBytes, signal }: ReadOptions,
): Promise<Uint8Array | 'oversized' | 'changed'> {
  const before = node.bytes;
  if (before.length > maxBytes) return 'oversized';
  const bytes = new Uint8Array(before.length);
  let filled = 0;
  do {
    filled += copyPortion(node, bytes, filled, state.portion);
    state.faults.midRead(path);
    await state.faults.pass(signal);
    if (node.bytes !== before) return 'changed';
  } while (filled < bytes.length);
  return bytes;
}

/** Copies what the file holds at this instant. */
function copyPortion(node: FileNode, into: Uint8Array, offset: number, portion: number): number {
  const part = node.bytes.subarray(offset, offset + portion);
  into.set(part, offset);
  return part.length;
}
