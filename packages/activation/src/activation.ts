import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { InstructionResolver, Resolution } from '@codicil/instruction-modules';
import {
  type Draft,
  type EntryId,
  isJournalError,
  isLatching,
  type Journal,
  type JournalEntry,
  type Projection,
  type SessionId,
} from '@codicil/journal-records';
import { ActivationError } from './error.ts';
import { createNovelty } from './novelty.ts';
import { type CheckedModule, pathsToCheck, planDelivery } from './plan.ts';

/** All that a delivery asks of a resolver. */
export type ActivationResolver = Pick<InstructionResolver, 'forPaths' | 'status'>;

export interface ActivationOptions {
  readonly resolver: ActivationResolver;
  readonly journal: Journal;
  readonly sessionId: SessionId;
  /** Strings of the frame that the host puts around the text of a record. */
  readonly reserved?: readonly string[] | undefined;
  /**
   * `host`: the host records each of its requests with the `settles` of the delivery before it, as `@codicil/session` does. `activation`, when left out: touches that
   * called for nothing are settled by a record of their own.
   */
  readonly settling?: 'host' | 'activation' | undefined;
}

/** What an observer looks at in a tool result; everything else of it is none of its business. */
export interface ObservedResult {
  readonly isError?: boolean | undefined;
  readonly details?: { readonly fileAccess?: { readonly path: string } | undefined } | undefined;
}

export interface DeliverOptions {
  /** `true`: the record is a claim, to be confirmed or given back once the host knows whether the model got it. */
  readonly asClaim?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Delivery =
  /** Nothing waited, or the model sees all of it already. */
  | {
      readonly kind: 'nothing';
      /** The leaf that this was decided upon. */
      readonly leaf: EntryId | null;
      /** The touches that were looked at. They wait until a record settles them: the host's request, or one of activation's own. */
      readonly settles: readonly string[];
      readonly diagnostics: readonly Diagnostic[];
    }
  /** One record, durable, and now part of every request of the branch. */
  | {
      readonly kind: 'appended';
      readonly entry: JournalEntry;
      readonly projection: Projection;
      readonly diagnostics: readonly Diagnostic[];
    }
  /** A call has no result yet, and nothing may come between the two. The touches still wait. */
  | {
      readonly kind: 'deferred';
      readonly openToolCalls: readonly string[];
      readonly diagnostics: readonly Diagnostic[];
    }
  /** The journal failed; the touches still wait, for the next boundary. */
  | { readonly kind: 'failed'; readonly cause: unknown; readonly diagnostics: readonly Diagnostic[] };

/**
 * What stands between the tool results of a session and the boundaries of its requests. It keeps no queue of its own: the touches that wait are those of the journal's
 * active branch that no record has settled, so a restart, a rewind, a fork and another process on the same session see the same.
 */
export interface Activation {
  /** Records a touch, unless the branch holds it waiting already. Rejects with a `JournalError`; then the touch is tried again at the next boundary. */
  touch(path: string): Promise<void>;
  /**
   * Takes note of the file that a tool result accessed: a `touch` that nobody waits for. Never throws, never waits, never changes the result. A host that
   * records its tool results as messages of the journal has recorded their touches with them, and calls neither.
   */
  observe(result: ObservedResult): void;
  /** The touches that wait, each once, oldest first. */
  waiting(): Promise<readonly string[]>;
  /**
   * To be called before each provider request: brings what the touches call for into the journal, as one record or none. Calls are
   * served one after the other. Rejects with the resolver's own error (the touches are then settled), with the signal's reason (they still wait), or with
   * `activation_persistence_latched`.
   */
  deliver(o?: DeliverOptions): Promise<Delivery>;
  /** The host has seen that the model got a claimed delivery. `false` when it was confirmed or given back before, by whomever. */
  confirm(delivery: EntryId): Promise<boolean>;
  /** The model never got a claimed delivery: its touches wait again, and its versions are not active. `false` as for `confirm`. */
  giveBack(delivery: EntryId): Promise<boolean>;
}

/** Begins, or takes up again, the activation of a session. */
export async function openActivation(o: ActivationOptions): Promise<Activation> {
  const { journal, sessionId, resolver } = o;
  const novelty = createNovelty();
  /** Touches that are not in the journal yet. */
  const unrecorded = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();
  let latch: unknown;
  await journal.projection(sessionId);

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  function assertNotLatched(): void {
    if (latch === undefined) return;
    throw new ActivationError('activation_persistence_latched', 'the journal failed; open the session again', {
      cause: latch,
    });
  }

  /** Passes the failure on, and remembers one that nothing but a new opening gets over. */
  function failed(cause: unknown): never {
    if (isLatching(cause)) latch = cause;
    throw cause;
  }

  async function recordTouches(): Promise<void> {
    if (unrecorded.size === 0) return;
    const { pendingTouches } = await journal.projection(sessionId).catch(failed);
    for (const path of pendingTouches) unrecorded.delete(path);
    const paths = [...unrecorded];
    if (paths.length === 0) return;
    await journal.append(sessionId, { kind: 'touch', paths }, { expectedLeaf: 'any' }).catch(failed);
    for (const path of paths) unrecorded.delete(path);
  }

  /** Asks the resolver. What it rejects with settles the touches, so that a resolver that is broken for one file does not stop every request after it. */
  async function ask<T>(
    { leaf, pendingTouches: paths }: Projection,
    signal: AbortSignal | undefined,
    question: () => Promise<T>,
  ): Promise<T> {
    try {
      return await question();
    } catch (cause) {
      // The resolver's error is the one to tell. Where the record does not come in, the touches still wait.
      if (signal?.aborted !== true) {
        await journal.append(sessionId, { kind: 'settle', paths }, { expectedLeaf: leaf }).catch(() => undefined);
      }
      throw new ResolverFailure('the resolver failed', { cause });
    }
  }

  async function deliverWaiting({ asClaim, signal }: DeliverOptions): Promise<Delivery> {
    let resolved: { readonly paths: readonly string[]; readonly resolution: Resolution } | undefined;
    const diagnostics: Diagnostic[] = [];
    for (;;) {
      await recordTouches();
      const projection = await journal.projection(sessionId);
      const paths = projection.pendingTouches;
      const { leaf, openToolCalls } = projection;
      if (paths.length === 0) return { kind: 'nothing', leaf, settles: [], diagnostics };
      if (openToolCalls.length > 0) return { kind: 'deferred', openToolCalls, diagnostics };
      if (resolved === undefined || !isSame(resolved.paths, paths)) {
        resolved = { paths, resolution: await ask(projection, signal, () => resolver.forPaths(paths, { signal })) };
        diagnostics.push(...novelty(resolved.resolution));
      }
      const { modules } = resolved.resolution;
      const checked = await check(resolved.resolution, projection, signal);
      const plan = planDelivery(modules, checked, projection, { reserved: o.reserved, settles: paths, asClaim });
      if (plan.kind === 'nothing' && o.settling === 'host')
        return { kind: 'nothing', leaf, settles: paths, diagnostics };
      const draft: Draft = plan.kind === 'nothing' ? { kind: 'settle', paths } : plan.record;
      const outcome = await journal.append(sessionId, draft, { expectedLeaf: leaf, signal });
      // A conflict means that another writer got further: what it wrote may already hold what this one was about to say.
      if (outcome.kind === 'conflict') continue;
      if (plan.kind === 'nothing') return { kind: 'nothing', leaf: outcome.entry.id, settles: paths, diagnostics };
      return { ...outcome, diagnostics };
    }
  }

  async function check(
    { modules }: Resolution,
    projection: Projection,
    signal: AbortSignal | undefined,
  ): Promise<readonly CheckedModule[]> {
    const paths = pathsToCheck(modules, projection);
    if (paths.length === 0) return [];
    const statuses = await ask(projection, signal, () => resolver.status(paths, { signal }));
    return statuses.map((status, index) => ({ relPath: paths[index] ?? '', status }));
  }

  async function deliver(options: DeliverOptions): Promise<Delivery> {
    assertNotLatched();
    options.signal?.throwIfAborted();
    try {
      return await deliverWaiting(options);
    } catch (cause) {
      if (cause instanceof ResolverFailure) throw cause.cause;
      if (options.signal?.aborted === true && cause === options.signal.reason) throw cause;
      if (!isJournalError(cause)) throw cause;
      if (isLatching(cause)) latch = cause;
      return { kind: 'failed', cause, diagnostics: [activationFailed(cause)] };
    }
  }

  /** Ends a claim that is still open, whoever else may be about to. */
  async function endClaim(delivery: EntryId, outcome: 'confirmed' | 'given-back'): Promise<boolean> {
    assertNotLatched();
    for (;;) {
      const { leaf, claims } = await journal.projection(sessionId).catch(failed);
      if (!claims.has(delivery)) return false;
      const draft: Draft = { kind: 'claim', delivery, outcome };
      const appended = await journal.append(sessionId, draft, { expectedLeaf: leaf }).catch(failed);
      if (appended.kind === 'appended') return true;
    }
  }

  async function touch(path: string): Promise<void> {
    unrecorded.add(path);
    await inTurn(() => {
      assertNotLatched();
      return recordTouches();
    });
  }

  return {
    touch,
    observe(result) {
      const path = result.details?.fileAccess?.path;
      // A failure is met again at the next boundary, which tells it.
      if (typeof path === 'string' && path !== '' && result.isError !== true) touch(path).catch(() => undefined);
    },
    async waiting() {
      const { pendingTouches } = await journal.projection(sessionId);
      return [...new Set([...pendingTouches, ...unrecorded])];
    },
    deliver: (options = {}) => inTurn(() => deliver(options)),
    confirm: (delivery) => inTurn(() => endClaim(delivery, 'confirmed')),
    giveBack: (delivery) => inTurn(() => endClaim(delivery, 'given-back')),
  };
}

/** Marks what the resolver rejected with, so that no failure of the journal is ever taken for it. */
class ResolverFailure extends Error {}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((path, index) => path === b[index]);
}

function activationFailed(cause: Error): Diagnostic {
  return diagnostic('instruction_activation_failed', {
    path: '',
    message: `the instruction record could not be appended: ${cause.message.replace(/[\s.]+$/, '')}`,
    hint: 'Make room on the disk or mend the journal: the touched files are delivered before the next request that can record them.',
  });
}
