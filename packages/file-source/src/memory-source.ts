import { joinPath, type ProjectPath } from '@codicil/project-path';
import { worldClock } from './clock.ts';
import { open, placeBelow, rootStands } from './confine.ts';
import type { FileSource, FirstRead, Known, ReadOptions, ReadOutcome } from './contract.ts';
import { FaultPlan, type MemoryFaults } from './faults.ts';
import { listFolder } from './listing.ts';
import { locatePath } from './locating.ts';
import { type MemoryState, readFile } from './reading.ts';
import { matches, provableKind } from './stamps.ts';
import type { TreeEdit, TreeSpec } from './tree-spec.ts';
import { walk } from './walk.ts';
import { World } from './world.ts';

export interface MemoryOptions {
  /** `'win32'` spells the root `C:\proj`. */
  readonly platform?: 'posix' | 'win32' | undefined;
  /** Left out: as the platform usually does. */
  readonly ignoresCase?: boolean | undefined;
  /** A path of the tree, perhaps a link to the root (`../alias`), that the source is opened through. */
  readonly openedThrough?: string | undefined;
  /** Milliseconds of a tick of the clock, which then moves by {@link MemoryTree.touchClock} alone. Left out: each edit has a tick of its own. */
  readonly granularity?: number | undefined;
  /** Bytes read at a time; between two portions the world may change. Left out: 65,536. */
  readonly portion?: number | undefined;
}

/** The hands that change the tree behind the source's back. Paths and totality are those of {@link TreeEdit}. */
export interface MemoryTree {
  apply(change: TreeEdit): void;
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  rename(path: string, to: string): void;
  /** With `absolute`, the target is a path of the tree and the link says its native form. */
  symlink(path: string, target: string, o?: { readonly absolute: boolean }): void;
  chmod(path: string, mode: number): void;
  mkdir(path: string): void;
  /** Puts a pipe, as it stands for sockets and devices too. */
  fifo(path: string): void;
  /** Lets milliseconds pass. */
  touchClock(milliseconds: number): void;
  /** The native absolute path of a path of the tree. */
  at(path: string): string;
}

/** How many operations reached the tree so far. */
export interface OperationCounts {
  /** Attempts to open a file. */
  readonly reads: number;
  readonly lists: number;
  /** Stamps compared by `changed`. */
  readonly probes: number;
  readonly locates: number;
}

export interface MemorySource extends FileSource {
  readonly tree: MemoryTree;
  readonly faults: MemoryFaults;
  readonly counts: OperationCounts;
}

/**
 * A source over a small world in memory, with the semantics of a confined source on a disk. Throws a `TypeError` for a tree that cannot be
 * laid (a hard link to nothing) and for an `openedThrough` that is no folder.
 */
export function createMemorySource(tree: TreeSpec, o: MemoryOptions = {}): MemorySource {
  const state = openWorld(tree, o);
  const { world } = state;
  const read = (path: ProjectPath, options: ReadOptions): Promise<ReadOutcome> => readFile(state, path, options);
  return {
    root: state.spelling,
    ignoresCase: world.ignoresCase,
    tree: treeOf(world),
    faults: state.faults,
    counts: state.counts,
    locate: (path, options) => locatePath(state, path, options?.signal),
    read,
    async readMany(paths, options) {
      options.signal?.throwIfAborted();
      return Promise.all(paths.map((path) => read(path, options)));
    },
    readFirst: (folder, names, options) => readFirst(read, folder, names, options),
    list: (folder, options) => listFolder(state, folder, options),
    async changed(known, options) {
      await state.faults.pass(options?.signal);
      return [...known.keys()].filter((index) => !isProvedUnchanged(state, known[index]));
    },
  };
}

function openWorld(tree: TreeSpec, o: MemoryOptions): MemoryState {
  const platform = o.platform ?? 'posix';
  const clock = worldClock(o.granularity);
  const world = new World({ platform, ignoresCase: o.ignoresCase ?? platform === 'win32', clock });
  for (const entry of tree) world.add(entry);
  // What was laid is older than the first read.
  clock.advance(2 * (o.granularity ?? 1));
  const spelled = world.placeOf(o.openedThrough ?? '');
  const found = walk(world, spelled, 'follow');
  if (found.kind !== 'found' || found.node.kind !== 'folder') throw new TypeError(`${o.openedThrough} is no folder`);
  return {
    world,
    root: found.place,
    spelling: world.native(spelled),
    faults: new FaultPlan((away) => {
      world.away = away;
    }),
    counts: { reads: 0, lists: 0, probes: 0, locates: 0 },
    portion: o.portion ?? 65_536,
  };
}

function treeOf(world: World): MemoryTree {
  return {
    apply: (change) => world.apply(change),
    write: (path, content) => world.write(path, content),
    remove: (path) => world.remove(path),
    rename: (path, to) => world.rename(path, to),
    symlink: (path, target, o) => world.symlink(path, target, o?.absolute ?? false),
    chmod: (path, mode) => world.chmod(path, mode),
    mkdir: (path) => world.mkdir(path),
    fifo: (path) => world.special(path),
    touchClock: (milliseconds) => world.clock.advance(milliseconds),
    at: (path) => world.native(world.placeOf(path)),
  };
}

async function readFirst(
  read: (path: ProjectPath, o: ReadOptions) => Promise<ReadOutcome>,
  folder: ProjectPath,
  names: readonly string[],
  o: ReadOptions,
): Promise<FirstRead> {
  o.signal?.throwIfAborted();
  const passedOver: FirstRead['passedOver'][number][] = [];
  for (const name of names) {
    const outcome = await read(joinPath(folder, name), o);
    if (outcome.kind !== 'absent') return { name, outcome, passedOver };
    if (outcome.diagnostic !== undefined) passedOver.push(outcome.diagnostic);
  }
  return { name: undefined, outcome: { kind: 'absent' }, passedOver };
}

function isProvedUnchanged(state: MemoryState, known: Known | undefined): boolean {
  state.counts.probes += 1;
  const { world, root } = state;
  if (known === undefined || !rootStands(world, root)) return false;
  switch (provableKind(world, known.stamp)) {
    case 'file': {
      const opened = open(world, root, known.path, 'anywhere');
      return opened.kind === 'opened' && matches(known.stamp, opened);
    }
    case 'folder': {
      const found = walk(world, placeBelow(root, known.path), 'stop');
      return found.kind === 'found' && matches(known.stamp, found);
    }
    case undefined:
      return false;
  }
}
