import { hash } from 'node:crypto';
import { type Activation, type Delivery, openActivation } from '@codicil/activation';
import {
  createMemoryJournal,
  createMemoryStore,
  type Draft,
  type EntryId,
  type JournalEntry,
  type MemoryJournal,
  type MemoryStore,
  type SessionId,
  sessionId,
} from '@codicil/journal-records';
import fc from 'fast-check';
import { expect } from 'vitest';
import { World } from './world.ts';

export const SESSION: SessionId = sessionId('s');
export const CHILD: SessionId = sessionId('child');
/** Few, so that the same file is met again and again within one conversation. */
const PATHS = ['a/AGENTS.md', 'a/b/AGENTS.md', 'c/AGENTS.md'];
const TOUCHES = ['a/x.ts', 'a/b/x.ts', 'c/x.ts'];
const TEXTS = ['one', 'two', ''];

type Failing = 'no' | 'before' | 'after';

/** What happened at a delivery, for an invariant to judge. */
export interface DeliveryStory {
  readonly real: Real;
  readonly kinds: readonly Delivery['kind'][];
  /** The touches that waited before. */
  readonly asked: readonly string[];
  /** The branch before and after, oldest first. */
  readonly before: readonly JournalEntry[];
  readonly after: readonly JournalEntry[];
}

/** Obviously right, and slower: what should wait, told without a projection. */
export interface Model {
  /** Recorded touches that no successful delivery has settled yet. */
  unsettled: ReadonlySet<string>;
  openCall: boolean;
  /** What was the case at each place that a conversation may go back to. */
  readonly places: Map<EntryId, { readonly unsettled: ReadonlySet<string>; readonly openCall: boolean }>;
  /** The touches that each claim has to give back. */
  readonly claims: Map<EntryId, readonly string[]>;
}

export interface Judge {
  afterDelivery?(story: DeliveryStory): void;
  always?(real: Real, branch: readonly JournalEntry[], model: Model): Promise<void> | void;
}

/** One process: a journal of its own over the common store, and an activation over it. */
export interface Process {
  readonly journal: MemoryJournal;
  readonly activation: Activation;
}

async function startProcess(store: MemoryStore, world: World, session: SessionId = SESSION): Promise<Process> {
  const journal = createMemoryJournal({ store, snapshotEvery: 3 });
  return { journal, activation: await openActivation({ resolver: world, journal, sessionId: session }) };
}

/** A session with several processes on it, and the files that its instructions are in. */
export class Real {
  readonly world: World = new World();
  readonly store: MemoryStore = createMemoryStore();
  readonly processes: Process[] = [];
  calls = 0;

  static async open(): Promise<Real> {
    const real = new Real();
    for (let index = 0; index < 3; index++) real.processes.push(await startProcess(real.store, real.world));
    return real;
  }

  process(nth: number): Process {
    const process = this.processes[nth % this.processes.length];
    if (process === undefined) throw new Error('there is no process');
    return process;
  }

  async restart(nth: number): Promise<void> {
    this.processes[nth % this.processes.length] = await startProcess(this.store, this.world);
  }

  /** A process that knows nothing but a copy of the store. */
  restored(session: SessionId = SESSION, store: MemoryStore = createMemoryStore(this.store)): Promise<Process> {
    return startProcess(store, this.world, session);
  }

  /** The same conversation in a session that was forked off just now, in a copy of the store. */
  async forked(): Promise<Process> {
    const store = createMemoryStore(this.store);
    const { leaf } = await this.process(0).journal.projection(SESSION);
    if (leaf === null) return this.restored(CHILD, store);
    await createMemoryJournal({ store }).fork(SESSION, leaf, CHILD);
    return this.restored(CHILD, store);
  }

  async branch(): Promise<readonly JournalEntry[]> {
    const entries: JournalEntry[] = [];
    for await (const entry of this.process(0).journal.branch(SESSION)) entries.push(entry);
    return entries.reverse();
  }

  async append(nth: number, draft: Draft, parent?: EntryId): Promise<void> {
    await this.process(nth).journal.append(SESSION, draft, { expectedLeaf: 'any', parent });
  }

  async call(nth: number): Promise<string> {
    const id = `call-${++this.calls}`;
    const toolCalls = [{ id, name: 'read', input: {} }];
    await this.append(nth, { kind: 'message', role: 'assistant', text: '', toolCalls });
    return id;
  }

  async result(nth: number, toolCallId: string, path: string): Promise<void> {
    const details = { fileAccess: { path } };
    await this.append(nth, { kind: 'message', role: 'tool', toolCallId, text: path, isError: false, details });
  }
}

type Command = fc.AsyncCommand<Model, Real>;
type Act = (model: Model, real: Real) => Promise<void>;

function step(judge: Judge, name: string, act: Act, check: (model: Readonly<Model>) => boolean = () => true): Command {
  return {
    check,
    async run(model, real) {
      await act(model, real);
      const branch = await real.branch();
      const leaf = branch.at(-1)?.id;
      if (leaf !== undefined) model.places.set(leaf, { unsettled: model.unsettled, openCall: model.openCall });
      await judge.always?.(real, branch, model);
    },
    toString: () => name,
  };
}

const hasNoOpenCall = (model: Readonly<Model>): boolean => !model.openCall;

function wait(model: Model, ...paths: readonly string[]): void {
  model.unsettled = new Set([...model.unsettled, ...paths]);
}

/** Conversations over a handful of instruction files, with everything that can happen to both, from several processes. */
export function conversation(judge: Judge): fc.Arbitrary<Iterable<Command>> {
  const process = fc.nat({ max: 2 });
  const make = <T extends readonly unknown[]>(
    parts: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
    name: (...parts: T) => string,
    act: (model: Model, real: Real, ...parts: T) => Promise<void>,
    check?: (model: Readonly<Model>) => boolean,
  ): fc.Arbitrary<Command> =>
    fc
      .tuple(...(parts as unknown as fc.Arbitrary<unknown>[]))
      .map((drawn) =>
        step(
          judge,
          name(...(drawn as unknown as T)),
          (model, real) => act(model, real, ...(drawn as unknown as T)),
          check,
        ),
      );

  const readFile = make<[number, string]>(
    [process, fc.constantFrom(...TOUCHES)],
    (nth, path) => `process ${nth} reads ${path}`,
    async (model, real, nth, path) => {
      await real.result(nth, await real.call(nth), path);
      wait(model, path);
    },
    hasNoOpenCall,
  );
  const touch = make<[number, string]>(
    [process, fc.constantFrom(...TOUCHES)],
    (nth, path) => `process ${nth} touches ${path}`,
    async (model, real, nth, path) => {
      await real.process(nth).activation.touch(path);
      wait(model, path);
    },
  );
  const edit = make<[string, string | undefined]>(
    [fc.constantFrom(...PATHS), fc.constantFrom(...TEXTS, undefined)],
    (path, text) => (text === undefined ? `delete ${path}` : `write ${path} "${text}"`),
    async (_model, real, path, text) => {
      if (text === undefined) real.world.texts.delete(path);
      else real.world.set(path, text);
    },
  );
  const hide = make<[string]>(
    [fc.constantFrom(...PATHS)],
    (path) => `${path} becomes unreadable, or readable again`,
    async (_model, real, path) => {
      if (!real.world.silent.delete(path)) real.world.silent.add(path);
    },
  );
  const deliverFrom = async (
    model: Model,
    real: Real,
    nth: number,
    { count, failing, asClaim }: { readonly count: number; readonly failing: Failing; readonly asClaim: boolean },
  ): Promise<void> => {
    const before = await real.branch();
    const asked = [...model.unsettled];
    const { journal } = real.process(nth);
    if (failing !== 'no') journal.failAppends(1, failing);
    const deliveries = await Promise.all(
      Array.from({ length: count }, (_, index) => real.process(nth + index).activation.deliver({ asClaim })),
    );
    journal.failAppends(0, 'before');
    const after = await real.branch();
    const kinds = deliveries.map(({ kind }) => kind);
    const isThrough = kinds.some((kind) => kind === 'nothing' || kind === 'appended');
    // A write that failed after it took effect has settled them too.
    if (isThrough || (failing === 'after' && after.length > before.length)) model.unsettled = new Set();
    const claim = after.slice(before.length).find(isClaim);
    if (claim !== undefined) model.claims.set(claim.id, asked);
    judge.afterDelivery?.({ real, kinds, asked, before, after });
  };
  const deliver = make<[number, number, Failing, boolean]>(
    [process, fc.constantFrom(1, 1, 2, 3), fc.constantFrom<Failing>('no', 'no', 'no', 'before', 'after'), fc.boolean()],
    (nth, count, failing, asClaim) =>
      `deliver from ${count} processes, first ${nth}${asClaim ? ', as a claim' : ''}${failing === 'no' ? '' : `, failing ${failing} the write`}`,
    (model, real, nth, count, failing, asClaim) => deliverFrom(model, real, nth, { count, failing, asClaim }),
  );
  /** What most turns of a conversation are: something changes, a file beside it is read, the next request goes out. */
  const turn = make<[number, string, string | undefined, boolean, string]>(
    [
      process,
      fc.constantFrom(...PATHS),
      fc.constantFrom(...TEXTS, undefined, undefined),
      fc.boolean(),
      fc.constantFrom(...TOUCHES),
    ],
    (nth, path, text, isHidden, touched) =>
      `process ${nth}: ${path} becomes ${isHidden ? 'unreadable' : (JSON.stringify(text) ?? 'nothing')}, ${touched} is touched and delivered`,
    async (model, real, nth, path, text, isHidden, touched) => {
      if (isHidden) real.world.silent.add(path);
      else real.world.silent.delete(path);
      if (!isHidden && text === undefined) real.world.texts.delete(path);
      if (!isHidden && text !== undefined) real.world.set(path, text);
      await real.process(nth).activation.touch(touched);
      wait(model, touched);
      await deliverFrom(model, real, nth, { count: 1, failing: 'no', asClaim: false });
    },
    hasNoOpenCall,
  );
  const endClaim = make<[number, number, boolean]>(
    [process, fc.nat({ max: 5 }), fc.boolean()],
    (nth, which, isConfirmed) => `process ${nth} ${isConfirmed ? 'confirms' : 'gives back'} claim ${which}`,
    async (model, real, nth, which, isConfirmed) => {
      const { activation, journal } = real.process(nth);
      const { claims } = await journal.projection(SESSION);
      const id = [...claims.keys()][which % claims.size];
      if (id === undefined) return;
      expect(await (isConfirmed ? activation.confirm(id) : activation.giveBack(id))).toBe(true);
      if (!isConfirmed) wait(model, ...(model.claims.get(id) ?? []));
      for (const each of real.processes) expect(await each.activation.giveBack(id)).toBe(false);
    },
  );
  const quarrel = make<[number, readonly (readonly [text: string, isConfirmed: boolean])[], boolean]>(
    [
      process,
      fc.array(fc.tuple(fc.constantFrom(...TEXTS), fc.boolean()), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
    ],
    (nth, rounds, isReversed) =>
      `process ${nth} claims versions ${JSON.stringify(rounds)} of one file, and ends them ${isReversed ? 'last' : 'first'} first`,
    async (model, real, nth, rounds, isReversed) => {
      const { activation } = real.process(nth);
      const made: { readonly id: EntryId; readonly asked: readonly string[]; readonly isConfirmed: boolean }[] = [];
      for (const [text, isConfirmed] of rounds) {
        real.world.set('a/AGENTS.md', text);
        await activation.touch('a/x.ts');
        wait(model, 'a/x.ts');
        const delivery = await activation.deliver({ asClaim: true });
        const asked = [...model.unsettled];
        model.unsettled = new Set();
        if (delivery.kind === 'appended') made.push({ id: delivery.entry.id, asked, isConfirmed });
      }
      for (const { id, asked, isConfirmed } of isReversed ? made.toReversed() : made) {
        await (isConfirmed ? activation.confirm(id) : activation.giveBack(id));
        if (!isConfirmed) wait(model, ...asked);
      }
    },
    hasNoOpenCall,
  );
  const compact = make<[number, number]>(
    [process, fc.nat({ max: 3 })],
    (nth, keep) => `process ${nth} compacts, keeping ${keep} entries`,
    async (_model, real, nth, keep) => {
      const kept = (await real.branch()).at(-keep);
      const keepFrom = keep === 0 || kept === undefined ? null : { id: kept.id, depth: kept.depth };
      await real.append(nth, { kind: 'compaction', summary: 'so far', keepFrom });
    },
    hasNoOpenCall,
  );
  const clear = make<[number]>(
    [process],
    (nth) => `process ${nth} clears`,
    async (model, real, nth) => {
      await real.append(nth, { kind: 'context-cleared' });
      model.unsettled = new Set();
      model.openCall = false;
    },
  );
  const rewind = make<[number, number]>(
    [process, fc.nat({ max: 20 })],
    (nth, to) => `process ${nth} goes back to place ${to}`,
    async (model, real, nth, to) => {
      const places = [...model.places];
      const [parent, then] = places[to % places.length] ?? [];
      if (parent === undefined || then === undefined) return;
      await real.append(nth, { kind: 'rewind' }, parent);
      model.unsettled = then.unsettled;
      model.openCall = then.openCall;
    },
  );
  const restart = make<[number]>(
    [process],
    (nth) => `process ${nth} restarts`,
    (_model, real, nth) => real.restart(nth),
  );
  const openCall = make<[number]>(
    [process],
    (nth) => `process ${nth} has a call without a result`,
    async (model, real, nth) => {
      await real.call(nth);
      model.openCall = true;
    },
    hasNoOpenCall,
  );
  const closeCall = make<[number]>(
    [process],
    (nth) => `process ${nth} has the result of that call`,
    async (model, real, nth) => {
      const { openToolCalls } = await real.process(nth).journal.projection(SESSION);
      await real.result(nth, openToolCalls[0] ?? '', 'a/x.ts');
      wait(model, 'a/x.ts');
      model.openCall = false;
    },
    (model) => model.openCall,
  );
  return fc.commands(
    [
      readFile,
      readFile,
      touch,
      edit,
      edit,
      deliver,
      deliver,
      deliver,
      endClaim,
      quarrel,
      turn,
      turn,
      turn,
      turn,
      turn,
      turn,
      hide,
      compact,
      clear,
      rewind,
      restart,
      openCall,
      closeCall,
    ],
    { maxCommands: 40, size: 'max' },
  );
}

/** Runs conversations under a judge; a failure prints the seed, the path and the commands with their replay path. */
export async function assertConversations(judge: Judge, numRuns = 300): Promise<void> {
  await fc.assert(
    fc.asyncProperty(conversation(judge), async (commands) => {
      await fc.asyncModelRun(async () => {
        const real = await Real.open();
        real.world.set('a/AGENTS.md', 'one');
        real.world.set('c/AGENTS.md', 'one');
        const model: Model = { unsettled: new Set(), openCall: false, places: new Map(), claims: new Map() };
        return { model, real };
      }, commands);
    }),
    { numRuns },
  );
}

function isClaim(entry: JournalEntry): boolean {
  return entry.kind === 'turn-context' && entry.context === 'instructions' && entry.details.isClaim === true;
}

/** Claimed deliveries that were given back: their first end on the branch says so, and no cleared context came before it. */
function givenBack(branch: readonly JournalEntry[]): ReadonlySet<EntryId> {
  const ends = branch.filter(isClaim).flatMap((claim) => {
    const end = branch.find(
      (entry) =>
        entry.depth > claim.depth &&
        (entry.kind === 'context-cleared' || (entry.kind === 'claim' && entry.delivery === claim.id)),
    );
    return end?.kind === 'claim' && end.outcome === 'given-back' ? [claim.id] : [];
  });
  return new Set(ends);
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
  const back = givenBack(branch);
  for (const entry of inContext(branch)) {
    if (entry.kind !== 'turn-context' || entry.context !== 'instructions' || back.has(entry.id)) continue;
    for (const { relPath, sha256 } of entry.details.instructions) add(relPath, sha256);
    for (const { relPath } of entry.details.removed) add(relPath, null);
  }
  return seen;
}

export function hashOf(text: string): string {
  return hash('sha256', text);
}
