import type { ClaimRecord, CompactionRecord, EntryHead, InstructionsRecord, JournalEntry, Message } from './entry.ts';
import { type DeliveredVersion, emptyProjection, type OpenClaim, type Projection } from './projection.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Folds the entries of one branch, oldest first, into a {@link Projection}. Mutable inside, so that a long branch costs one pass; what
 * `projection()` has handed out never changes afterwards. A rewind needs no rule: the fold is over the branch, not over the file.
 */
export class BranchFold {
  readonly #now: Writable<Projection>;
  /** The parts that this fold has changed and may change again; `undefined` while they are those of a projection someone holds. */
  #delivered: Map<string, DeliveredVersion> | undefined;
  #claims: Map<EntryHead['id'], OpenClaim> | undefined;
  #touches: Set<string> | undefined;
  #calls: Set<string> | undefined;

  /** Continues from a projection (a snapshot); the empty one when left out. */
  constructor(from: Projection = emptyProjection) {
    this.#now = { ...from };
  }

  add(entry: JournalEntry): void {
    this.#now.leaf = entry.id;
    this.#now.depth = entry.depth;
    switch (entry.kind) {
      case 'startup':
        this.#now.startupEntry = entry;
        this.#now.startup = new Map(entry.modules.map((module) => [module.relPath, module.sha256]));
        return;
      case 'turn-context':
        if (entry.context === 'instructions') this.#deliver(entry);
        return;
      case 'compaction':
        this.#raiseFloor(floorAfter(entry));
        return;
      case 'context-cleared':
        this.#raiseFloor(floorAfter(entry));
        this.#touches = new Set();
        this.#calls = new Set();
        this.#claims = new Map();
        return;
      case 'message':
        this.#hear(entry);
        return;
      case 'touch':
        this.#wait(entry.paths);
        return;
      case 'settle':
        this.#settle(entry.paths);
        return;
      case 'claim':
        this.#endClaim(entry);
        return;
      case 'request':
        this.#now.requests = entry.number;
        this.#settle(entry.settles);
        return;
      case 'rewind':
      case 'custom':
      case 'unknown':
        return;
      default:
        entry satisfies never;
    }
  }

  /** The state after the entries added so far. */
  projection(): Projection {
    if (this.#delivered !== undefined) this.#now.delivered = this.#delivered;
    if (this.#claims !== undefined) this.#now.claims = this.#claims;
    this.#delivered = undefined;
    this.#claims = undefined;
    if (this.#touches !== undefined) this.#now.pendingTouches = [...this.#touches];
    if (this.#calls !== undefined) this.#now.openToolCalls = [...this.#calls];
    return { ...this.#now };
  }

  #deliver(entry: EntryHead & InstructionsRecord): void {
    const delivered = this.#ownDelivered();
    const { id: entryId, depth } = entry;
    const { instructions, removed, settles = [], isClaim } = entry.details;
    const before = new Map<string, DeliveredVersion | null>();
    for (const { relPath } of [...instructions, ...removed]) before.set(relPath, delivered.get(relPath) ?? null);
    if (isClaim === true) this.#ownClaims().set(entryId, { settles, before });
    for (const { relPath, sha256 } of instructions) delivered.set(relPath, { sha256, entryId, depth });
    for (const { relPath } of removed) delivered.set(relPath, { sha256: null, entryId, depth });
    this.#settle(settles);
  }

  /** A path that a later record was about stays as that one says; the others are as before the claim, less what has left the context since. */
  #endClaim({ delivery, outcome }: ClaimRecord): void {
    const claim = (this.#claims ?? this.#now.claims).get(delivery);
    if (claim === undefined) return;
    this.#ownClaims().delete(delivery);
    if (outcome === 'confirmed') return;
    this.#forget(delivery, claim.before);
    const delivered = this.#ownDelivered();
    for (const [path, before] of claim.before) {
      if (delivered.get(path)?.entryId !== delivery) continue;
      if (before === null) delivered.delete(path);
      else delivered.set(path, before);
    }
    this.#wait(claim.settles);
  }

  /** What left the context cannot come back when a later claim is given back. */
  #forget(delivery: EntryHead['id'], earlier: ReadonlyMap<string, DeliveredVersion | null> | null): void {
    for (const [id, { settles, before }] of this.#claims ?? this.#now.claims) {
      if (![...before.values()].some((version) => version?.entryId === delivery)) continue;
      const mended = [...before].map(([path, version]): [string, DeliveredVersion | null] =>
        version?.entryId === delivery ? [path, earlier?.get(path) ?? null] : [path, version],
      );
      this.#ownClaims().set(id, { settles, before: new Map(mended) });
    }
  }

  #raiseFloor(floor: number): void {
    if (floor <= this.#now.floor) return;
    this.#now.floor = floor;
    const delivered = this.#ownDelivered();
    for (const [path, version] of delivered) if (version.depth <= floor) delivered.delete(path);
    for (const { before } of (this.#claims ?? this.#now.claims).values()) {
      for (const version of before.values())
        if (version !== null && version.depth <= floor) this.#forget(version.entryId, null);
    }
  }

  #hear(message: Message): void {
    if (message.role === 'assistant') {
      this.#calls = new Set(message.toolCalls.map((call) => call.id));
    } else if (message.role === 'tool') {
      this.#calls ??= new Set(this.#now.openToolCalls);
      this.#calls.delete(message.toolCallId);
      const touched = message.isError ? undefined : message.details?.fileAccess?.path;
      if (touched !== undefined) this.#wait([touched]);
    }
  }

  #wait(paths: readonly string[]): void {
    this.#touches ??= new Set(this.#now.pendingTouches);
    for (const path of paths) this.#touches.add(path);
  }

  #settle(paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.#touches ??= new Set(this.#now.pendingTouches);
    for (const path of paths) this.#touches.delete(path);
  }

  #ownDelivered(): Map<string, DeliveredVersion> {
    this.#delivered ??= new Map(this.#now.delivered);
    return this.#delivered;
  }

  #ownClaims(): Map<EntryHead['id'], OpenClaim> {
    this.#claims ??= new Map(this.#now.claims);
    return this.#claims;
  }
}

/** The depth of the youngest entry that this one takes out of the context; -1 for an entry that takes none. */
export function floorAfter(entry: JournalEntry): number {
  if (entry.kind === 'context-cleared') return entry.depth;
  if (entry.kind === 'compaction') return keptFrom(entry) - 1;
  return -1;
}

function keptFrom({ depth, keepFrom }: EntryHead & CompactionRecord): number {
  return keepFrom === null ? depth : keepFrom.depth;
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
