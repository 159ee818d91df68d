import { hash } from 'node:crypto';
import { type Activation, openActivation } from '@codicil/activation';
import {
  createMemoryJournal,
  createMemoryStore,
  type EntryId,
  type JournalEntry,
  type MemoryJournal,
  type MemoryStore,
  sessionId,
} from '@codicil/journal-records';
import fc from 'fast-check';
import { World } from './world.ts';

const SESSION = sessionId('s');
/** Few, so that the same file is met again and again within one conversation. */
const PATHS = ['a/AGENTS.md', 'a/b/AGENTS.md', 'c/AGENTS.md'];
const TOUCHES = ['a/x.ts', 'a/b/x.ts', 'c/x.ts'];
const TEXTS = ['one', 'two', ''];

/** What happened at a delivery, for an invariant to judge. */
export interface DeliveryStory {
  readonly real: Real;
  readonly kinds: readonly string[];
  readonly settled: readonly string[];
  /** The touches that waited in the queues that were delivered. */
  readonly asked: readonly string[];
  /** Whether every queue held the same. */
  readonly sameTouches: boolean;
  /** The branch before and after, oldest first. */
  readonly before: readonly JournalEntry[];
  readonly after: readonly JournalEntry[];
}

/** Obviously right, and slower: what the model should see, told without a projection. */
export interface Model {
  /** Recorded touches that no successful delivery has settled yet. */
  unsettled: Set<string>;
  openCall: boolean;
}

export interface Judge {
  afterDelivery?(story: DeliveryStory): void;
  afterRestart?(real: Real, model: Model): void;
  always?(real: Real, branch: readonly JournalEntry[]): void;
}

export class Real {
  readonly world: World = new World();
  readonly store: MemoryStore = createMemoryStore();
  journal: MemoryJournal;
  activation: Activation;
  other: Activation;
  calls = 0;

  private constructor(
    journal: MemoryJournal,
    activation: Activation,
    other: Activation,
    world: World,
    store: MemoryStore,
  ) {
    this.journal = journal;
    this.activation = activation;
    this.other = other;
    this.world = world;
    this.store = store;
  }

  static async open(): Promise<Real> {
    const world = new World();
    const store = createMemoryStore();
    const journal = createMemoryJournal({ store });
    const options = { resolver: world, journal, sessionId: SESSION };
    return new Real(journal, await openActivation(options), await openActivation(options), world, store);
  }

  async restart(): Promise<void> {
    this.journal = createMemoryJournal({ store: this.store });
    const options = { resolver: this.world, journal: this.journal, sessionId: SESSION };
    this.activation = await openActivation(options);
    this.other = await openActivation(options);
  }

  async branch(): Promise<readonly JournalEntry[]> {
    const entries: JournalEntry[] = [];
    for await (const entry of this.journal.branch(SESSION)) entries.push(entry);
    return entries.reverse();
  }

  append(draft: Parameters<MemoryJournal['append']>[1]): ReturnType<MemoryJournal['append']> {
    return this.journal.append(SESSION, draft, { expectedLeaf: 'any' });
  }

  async call(): Promise<string> {
    const id = `call-${++this.calls}`;
    const pendingTouches = this.activation.queued();
    await this.append({
      kind: 'message',
      role: 'assistant',
      text: '',
      toolCalls: [{ id, name: 'read', input: {} }],
      pendingTouches,
    });
    return id;
  }

  async result(toolCallId: string, path: string, observed: boolean): Promise<void> {
    const result = { toolCallId, text: path, isError: false, details: { fileAccess: { path } } };
    await this.append({ kind: 'message', role: 'tool', ...result });
    if (!observed) return;
    this.activation.observe(result);
    this.other.observe(result);
  }
}

type Command = fc.AsyncCommand<Model, Real>;

abstract class Step implements Command {
  protected readonly judge: Judge;
  constructor(judge: Judge) {
    this.judge = judge;
  }
  check(_model: Readonly<Model>): boolean {
    return true;
  }
  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    this.judge.always?.(real, await real.branch());
  }
  abstract act(model: Model, real: Real): Promise<void>;
  abstract toString(): string;
}

class Touch extends Step {
  readonly path: string;
  readonly crash: boolean;
  constructor(judge: Judge, path: string, crash: boolean) {
    super(judge);
    this.path = path;
    this.crash = crash;
  }
  override check(model: Readonly<Model>): boolean {
    return !model.openCall;
  }
  async act(model: Model, real: Real): Promise<void> {
    await real.result(await real.call(), this.path, !this.crash);
    model.unsettled.add(this.path);
    if (!this.crash) return;
    await real.restart();
    this.judge.afterRestart?.(real, model);
  }
  toString(): string {
    return `touch ${this.path}${this.crash ? ' and crash' : ''}`;
  }
}

class OpenCall extends Step {
  override check(model: Readonly<Model>): boolean {
    return !model.openCall;
  }
  async act(model: Model, real: Real): Promise<void> {
    await real.call();
    model.openCall = true;
  }
  toString(): string {
    return 'a call without a result';
  }
}

class CloseCall extends Step {
  override check(model: Readonly<Model>): boolean {
    return model.openCall;
  }
  async act(model: Model, real: Real): Promise<void> {
    await real.result(`call-${real.calls}`, 'a/x.ts', true);
    model.unsettled.add('a/x.ts');
    model.openCall = false;
  }
  toString(): string {
    return 'the result of that call';
  }
}

class Edit extends Step {
  readonly path: string;
  readonly text: string | undefined;
  constructor(judge: Judge, path: string, text: string | undefined) {
    super(judge);
    this.path = path;
    this.text = text;
  }
  async act(_model: Model, real: Real): Promise<void> {
    if (this.text === undefined) real.world.texts.delete(this.path);
    else real.world.set(this.path, this.text);
  }
  toString(): string {
    return this.text === undefined ? `delete ${this.path}` : `write ${this.path} "${this.text}"`;
  }
}

class Hide extends Step {
  readonly path: string;
  constructor(judge: Judge, path: string) {
    super(judge);
    this.path = path;
  }
  async act(_model: Model, real: Real): Promise<void> {
    if (!real.world.silent.delete(this.path)) real.world.silent.add(this.path);
  }
  toString(): string {
    return `${this.path} becomes unreadable, or readable again`;
  }
}

class Deliver extends Step {
  readonly failing: 'no' | 'before' | 'after';
  readonly twice: boolean;
  constructor(judge: Judge, failing: 'no' | 'before' | 'after', twice: boolean) {
    super(judge);
    this.failing = failing;
    this.twice = twice;
  }
  async act(model: Model, real: Real): Promise<void> {
    const before = await real.branch();
    const settled = [...model.unsettled];
    const queues = [real.activation.queued(), ...(this.twice ? [real.other.queued()] : [])];
    const sameTouches = queues.every((queue) => [...queue].sort().join() === [...(queues[0] ?? [])].sort().join());
    const asked = queues.flat();
    if (this.failing !== 'no') real.journal.failAppends(1, this.failing);
    const deliveries = await Promise.all([real.activation.deliver(), ...(this.twice ? [real.other.deliver()] : [])]);
    real.journal.failAppends(0, 'before');
    const kinds = deliveries.map(({ kind }) => kind);
    if (kinds.every((kind) => kind === 'nothing' || kind === 'appended')) model.unsettled.clear();
    this.judge.afterDelivery?.({ real, kinds, settled, asked, sameTouches, before, after: await real.branch() });
  }
  toString(): string {
    return `deliver${this.twice ? ' from two processes' : ''}${this.failing === 'no' ? '' : `, failing ${this.failing} the write`}`;
  }
}

class Compact extends Step {
  readonly keep: number;
  constructor(judge: Judge, keep: number) {
    super(judge);
    this.keep = keep;
  }
  override check(model: Readonly<Model>): boolean {
    return !model.openCall;
  }
  async act(_model: Model, real: Real): Promise<void> {
    const kept = (await real.branch()).at(-this.keep);
    const keepFrom = this.keep === 0 || kept === undefined ? null : { id: kept.id as EntryId, depth: kept.depth };
    await real.append({ kind: 'compaction', summary: 'so far', keepFrom });
  }
  toString(): string {
    return `compact, keeping ${this.keep} entries`;
  }
}

class Clear extends Step {
  async act(model: Model, real: Real): Promise<void> {
    await real.append({ kind: 'context-cleared' });
    model.unsettled.clear();
    model.openCall = false;
  }
  toString(): string {
    return 'clear';
  }
}

class Restart extends Step {
  async act(model: Model, real: Real): Promise<void> {
    await real.restart();
    this.judge.afterRestart?.(real, model);
  }
  toString(): string {
    return 'restart';
  }
}

/** Conversations over a handful of instruction files, with everything that can happen to both. */
export function conversation(judge: Judge): fc.Arbitrary<Iterable<Command>> {
  const touch = fc
    .tuple(fc.constantFrom(...TOUCHES), fc.boolean())
    .map(([path, crash]) => new Touch(judge, path, crash));
  const edit = fc
    .tuple(fc.constantFrom(...PATHS), fc.constantFrom(...TEXTS, undefined))
    .map(([path, text]) => new Edit(judge, path, text));
  const deliver = fc
    .tuple(fc.constantFrom('no', 'no', 'no', 'before', 'after'), fc.boolean())
    .map(([failing, twice]) => new Deliver(judge, failing as 'no' | 'before' | 'after', twice));
  return fc.commands(
    [
      touch,
      touch,
      edit,
      edit,
      deliver,
      deliver,
      fc.constantFrom(...PATHS).map((path) => new Hide(judge, path)),
      fc.nat({ max: 3 }).map((keep) => new Compact(judge, keep)),
      fc.constant(new Clear(judge)),
      fc.constant(new Restart(judge)),
      fc.constant(new OpenCall(judge)),
      fc.constant(new CloseCall(judge)),
    ],
    { maxCommands: 40, size: 'max' },
  );
}

/** Runs conversations under a judge; a failure prints the seed, the path and the commands with their replay path. */
export async function assertConversations(judge: Judge): Promise<void> {
  await fc.assert(
    fc.asyncProperty(conversation(judge), async (commands) => {
      await fc.asyncModelRun(async () => {
        const real = await Real.open();
        real.world.set('a/AGENTS.md', 'one');
        real.world.set('c/AGENTS.md', 'one');
        return { model: { unsettled: new Set<string>(), openCall: false }, real };
      }, commands);
    }),
    { numRuns: 300 },
  );
}

/** The part of the branch that the model can see. */
export function inContext(branch: readonly JournalEntry[]): readonly JournalEntry[] {
  let floor = -1;
  for (const entry of branch) {
    if (entry.kind === 'context-cleared') floor = Math.max(floor, entry.depth);
    if (entry.kind === 'compaction') floor = Math.max(floor, (entry.keepFrom?.depth ?? entry.depth) - 1);
  }
  return branch.filter((entry) => entry.depth > floor);
}

/** For each path the hashes that the model saw, oldest first; `null` is a tombstone. */
export function versionsSeen(branch: readonly JournalEntry[]): ReadonlyMap<string, readonly (string | null)[]> {
  const seen = new Map<string, (string | null)[]>();
  const add = (path: string, version: string | null): void => {
    const list = seen.get(path) ?? [];
    seen.set(path, list);
    list.push(version);
  };
  for (const entry of inContext(branch)) {
    if (entry.kind !== 'turn-context' || entry.context !== 'instructions') continue;
    for (const { relPath, sha256 } of entry.details.instructions) add(relPath, sha256);
    for (const { relPath } of entry.details.removed) add(relPath, null);
  }
  return seen;
}

export function hashOf(text: string): string {
  return hash('sha256', text);
}
