import type { CompactionRecord, EntryHead, InstructionsRecord, JournalEntry, Message } from './entry.ts';
import { type DeliveredVersion, emptyProjection, type Projection } from './projection.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Folds the entries of one branch, oldest first, into a {@link Projection}. Mutable inside, so that a long branch costs one pass; what
 * `projection()` has handed out never changes afterwards. A rewind needs no rule: the fold is over the branch, not over the file.
 */
export class BranchFold {
  readonly #now: Writable<Projection>;
  /** The parts that this fold has changed and may change again; `undefined` while they are those of a projection someone holds. */
  #delivered: Map<string, DeliveredVersion> | undefined;
  #touches: Set<string> | undefined;
  #calls: Set<string> | undefined;

  /** Continues from a projection (a checkpoint); the empty one when left out. */
  constructor(from: Projection = emptyProjection) {
    this.#now = { ...from };
  }

  add(entry: JournalEntry): void {
    this.#now.leaf = entry.id;
    this.#now.depth = entry.depth;
    switch (entry.kind) {
      case 'startup':
        this.#now.started = true;
        this.#now.startup = new Map(entry.modules.map((module) => [module.relPath, module.sha256]));
        return;
      case 'turn-context':
        if (entry.context === 'instructions') this.#deliver(entry);
        return;
      case 'compaction':
        this.#raiseFloor(floorOf(entry));
        return;
      case 'context-cleared':
        this.#raiseFloor(entry.depth);
        this.#touches = new Set();
        this.#calls = new Set();
        return;
      case 'message':
        this.#hear(entry);
        return;
      default:
        return; // Rewinds, custom records and kinds of a later version change nothing but the leaf.
    }
  }

  /** The state after the entries added so far. */
  projection(): Projection {
    if (this.#delivered !== undefined) this.#now.delivered = this.#delivered;
    this.#delivered = undefined;
    if (this.#touches !== undefined) this.#now.pendingTouches = [...this.#touches];
    if (this.#calls !== undefined) this.#now.openToolCalls = [...this.#calls];
    return { ...this.#now };
  }

  #deliver(entry: EntryHead & InstructionsRecord): void {
    const delivered = this.#ownDelivered();
    const { id: entryId, depth } = entry;
    for (const { relPath, sha256 } of entry.details.instructions) delivered.set(relPath, { sha256, entryId, depth });
    for (const { relPath } of entry.details.removed) delivered.set(relPath, { sha256: null, entryId, depth });
  }

  #raiseFloor(floor: number): void {
    if (floor <= this.#now.floor) return;
    this.#now.floor = floor;
    const delivered = this.#ownDelivered();
    for (const [path, version] of delivered) if (version.depth <= floor) delivered.delete(path);
  }

  #hear(message: Message): void {
    if (message.role === 'assistant') {
      this.#calls = new Set(message.toolCalls.map((call) => call.id));
      this.#touches = new Set(message.pendingTouches ?? []);
    } else if (message.role === 'tool') {
      this.#calls ??= new Set(this.#now.openToolCalls);
      this.#calls.delete(message.toolCallId);
      const touched = message.isError ? undefined : message.details?.fileAccess?.path;
      if (touched === undefined) return;
      this.#touches ??= new Set(this.#now.pendingTouches);
      this.#touches.add(touched);
    }
  }

  #ownDelivered(): Map<string, DeliveredVersion> {
    this.#delivered ??= new Map(this.#now.delivered);
    return this.#delivered;
  }
}

/** The depth of the youngest entry that a compaction takes out of the context. */
function floorOf(record: EntryHead & CompactionRecord): number {
  return (record.keepFrom === null ? record.depth : record.keepFrom.depth) - 1;
}

/** The projection after one more entry of the branch. Pure: the given one stays as it is. */
export function advance(projection: Projection, entry: JournalEntry): Projection {
  const fold = new BranchFold(projection);
  fold.add(entry);
  return fold.projection();
}

/** The projection of a whole branch, in either order: oldest first, or newest first as `Journal.branch` gives it. */
export function projectBranch(entries: Iterable<JournalEntry>): Projection {
  const branch = [...entries];
  const [first, last] = [branch.at(0), branch.at(-1)];
  if (first !== undefined && last !== undefined && first.depth > last.depth) branch.reverse();
  const fold = new BranchFold();
  for (const entry of branch) fold.add(entry);
  return fold.projection();
}
