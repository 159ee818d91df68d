import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { InstructionResolver, Resolution } from '@codicil/instruction-modules';
import {
  isJournalError,
  type Journal,
  type JournalEntry,
  type Projection,
  type SessionId,
} from '@codicil/journal-records';
import { ActivationError } from './error.ts';
import { createNovelty } from './novelty.ts';
import { type CheckedModule, pathsToCheck, planDelivery } from './plan.ts';

export interface ActivationOptions {
  readonly resolver: InstructionResolver;
  readonly journal: Journal;
  readonly sessionId: SessionId;
  /** Strings of the frame that the host puts around the text of a record. */
  readonly reserved?: readonly string[] | undefined;
}

/** What an observer looks at in a tool result; everything else of it is none of its business. */
export interface ObservedResult {
  readonly isError?: boolean | undefined;
  readonly details?: { readonly fileAccess?: { readonly path: string } | undefined } | undefined;
}

export type Delivery =
  /** Nothing was touched, or the model sees all of it already. */
  | { readonly kind: 'nothing'; readonly diagnostics: readonly Diagnostic[] }
  /** One record, durable, and now part of every request of the branch. */
  | {
      readonly kind: 'appended';
      readonly entry: JournalEntry;
      readonly projection: Projection;
      readonly diagnostics: readonly Diagnostic[];
    }
  /** A call has no result yet, and nothing may come between the two. The touches stay queued. */
  | {
      readonly kind: 'deferred';
      readonly openToolCalls: readonly string[];
      readonly diagnostics: readonly Diagnostic[];
    }
  /** The append failed; the touches are queued again for the next boundary. */
  | { readonly kind: 'failed'; readonly cause: unknown; readonly diagnostics: readonly Diagnostic[] };

/** The queue between the tool results of a session and the boundaries of its requests. */
export interface Activation {
  /** Takes note of a touch. Never throws, never waits, never changes the result. */
  observe(result: ObservedResult): void;
  /** The touches that wait, each once, oldest first. */
  queued(): readonly string[];
  /**
   * To be called before each provider request: brings what the touches call for into the journal, as one record or none. Calls are
   * served one after the other. Rejects with the resolver's own error (the touches are then settled), with the signal's reason (they stay queued), or with
   * `activation_persistence_latched`.
   */
  deliver(o?: { readonly signal?: AbortSignal | undefined }): Promise<Delivery>;
}

/** Failures after which the journal's state in this process is not to be trusted any more. */
const LATCHING = new Set(['journal_corrupt', 'journal_unknown_format', 'journal_closed']);

/** Begins, or takes up again, the activation of a session: touches that its journal still holds undelivered are queued. */
export async function openActivation(o: ActivationOptions): Promise<Activation> {
  const queue = new Set<string>((await o.journal.projection(o.sessionId)).pendingTouches);
  const novelty = createNovelty();
  let turn: Promise<unknown> = Promise.resolve();
  let latch: unknown;

  function requeue(paths: readonly string[]): void {
    const later = [...queue];
    queue.clear();
    for (const path of [...paths, ...later]) queue.add(path);
  }

  async function settle(paths: readonly string[], signal: AbortSignal | undefined): Promise<Delivery> {
    let resolution: Resolution | undefined;
    let diagnostics: readonly Diagnostic[] = [];
    for (;;) {
      const projection = await o.journal.projection(o.sessionId);
      if (projection.openToolCalls.length > 0) {
        requeue(paths);
        return { kind: 'deferred', openToolCalls: projection.openToolCalls, diagnostics };
      }
      if (resolution === undefined) {
        resolution = await o.resolver.forPaths(paths, { signal });
        diagnostics = novelty(resolution);
      }
      const checked = await check(resolution, projection, signal);
      const plan = planDelivery(resolution.modules, checked, projection, { reserved: o.reserved });
      if (plan.kind === 'nothing') return { kind: 'nothing', diagnostics };
      const outcome = await o.journal.append(o.sessionId, plan.record, { expectedLeaf: projection.leaf, signal });
      // A conflict means that another writer got further: what it wrote may already hold what this one was about to say.
      if (outcome.kind === 'appended') return { ...outcome, diagnostics };
    }
  }

  async function check(
    resolution: Resolution,
    projection: Projection,
    signal: AbortSignal | undefined,
  ): Promise<readonly CheckedModule[]> {
    const paths = pathsToCheck(resolution.modules, projection);
    if (paths.length === 0) return [];
    const statuses = await o.resolver.status(paths, { signal });
    return statuses.map((status, index) => ({ relPath: paths[index] ?? '', status }));
  }

  async function deliver(signal: AbortSignal | undefined): Promise<Delivery> {
    if (latch !== undefined) {
      throw new ActivationError('activation_persistence_latched', 'the journal failed; open the session again', {
        cause: latch,
      });
    }
    signal?.throwIfAborted();
    const paths = [...queue];
    if (paths.length === 0) return { kind: 'nothing', diagnostics: [] };
    queue.clear();
    try {
      return await settle(paths, signal);
    } catch (cause) {
      if (signal?.aborted) {
        requeue(paths);
        throw cause;
      }
      if (!isJournalError(cause)) throw cause;
      requeue(paths);
      if (LATCHING.has(cause.code)) latch = cause;
      return { kind: 'failed', cause, diagnostics: [activationFailed(paths, cause)] };
    }
  }

  return {
    observe(result) {
      const path = result.details?.fileAccess?.path;
      if (typeof path === 'string' && path !== '' && result.isError !== true) queue.add(path);
    },
    queued: () => [...queue],
    deliver(options) {
      const mine = turn.then(() => deliver(options?.signal));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

function activationFailed(paths: readonly string[], cause: Error): Diagnostic {
  return diagnostic('instruction_activation_failed', {
    path: '',
    message: `the instruction record could not be appended: ${cause.message.replace(/[\s.]+$/, '')}`,
    hint: 'Make room on the disk or mend the journal: the touched paths are delivered before the next request that can record them.',
    facts: { paths },
  });
}
