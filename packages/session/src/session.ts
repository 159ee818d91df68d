import {
  type Activation,
  type Delivery,
  isActivationError,
  openActivation,
  renderInstructions,
} from '@codicil/activation';
import type { Diagnostic } from '@codicil/diagnostics';
import type { InstructionResolver, Resolution } from '@codicil/instruction-modules';
import {
  type Draft,
  type EntryId,
  isLatching,
  type Journal,
  type JournalEntry,
  type Projection,
  type SessionId,
  type Sha256,
  type StartupRecord,
  type ToolCall,
  type ToolResultDetails,
} from '@codicil/journal-records';
import { assertSendable, composeProjected, type ProviderRequest } from '@codicil/turn-context';
import { SessionError } from './error.ts';
import { digestOf } from './requests.ts';

export interface SessionOptions {
  readonly journal: Journal;
  readonly resolver: InstructionResolver;
  readonly sessionId: SessionId;
  /** Strings of the frame that the host puts around the text of an instruction record. */
  readonly reserved?: readonly string[] | undefined;
}

export interface ToolResult {
  readonly toolCallId: string;
  readonly text: string;
  readonly isError: boolean;
  readonly details: ToolResultDetails | undefined;
}

export interface SentRequest {
  /** Counts from 1 along the branch. */
  readonly number: number;
  readonly request: ProviderRequest;
  /** What the boundary before it brought. */
  readonly delivery: Delivery;
}

export interface StartOutcome {
  /** Whether this call recorded a set. */
  readonly started: boolean;
  /** What may belong to the set and could not be read, by path. */
  readonly unavailable: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A conversation whose every step is in the journal before anyone acts upon it. It remembers nothing of its own: opened again, in this process or
 * another, it goes on where the journal ends.
 */
export interface Session {
  readonly id: SessionId;
  /**
   * Records the startup set, once: a session that has one keeps it. What could not be read is named, and no file that is only unavailable counts as absent: call it again, and
   * once something of it can be read the set is recorded anew.
   */
  start(o?: WaitOptions): Promise<StartOutcome>;
  prompt(text: string): Promise<JournalEntry>;
  /** The model's answer. */
  answer(answer: { readonly text: string; readonly toolCalls: readonly ToolCall[] }): Promise<JournalEntry>;
  /** Records the result, and with it the touch of the file that it accessed. */
  toolResult(result: ToolResult): Promise<JournalEntry>;
  /**
   * The boundary: delivers what was touched, composes the next request from the journal and records that it was sent.
   * Rejects with `session_open_tool_calls` while a call has no result, with `session_not_started`, with a `TurnContextError` for a branch that no provider would take, and with
   * `session_persistence_latched` from a failure of the journal on until the session is opened again.
   */
  request(o?: WaitOptions): Promise<SentRequest>;
  /** Gives every call without a result an error result: what a resumed session does before its next request. */
  closeCalls(reason: string): Promise<readonly JournalEntry[]>;
  /** Puts a summary in the place of everything but the entries of the last `keepRequests` requests and what follows them. */
  compact(o: { readonly summary: string; readonly keepRequests: number }): Promise<JournalEntry>;
  /** Takes everything out of the context but the startup set. */
  clear(): Promise<JournalEntry>;
  /** Goes back to where the conversation stood before its last `requests` requests. */
  rewind(requests: number): Promise<JournalEntry>;
  /** A session of its own that continues from here. Open it with the same journal. */
  fork(to: SessionId): Promise<void>;
  projection(): Promise<Projection>;
}

/** Opens a session, new or known. */
export async function openSession(o: SessionOptions): Promise<Session> {
  const { journal, resolver, sessionId } = o;
  const activation: Activation = await openActivation({ ...o, settling: 'host' });
  let latch: unknown;

  /** A message that could not be recorded may not be answered: nothing goes on until the session is opened again. */
  async function record(draft: Draft): Promise<JournalEntry> {
    assertNotLatched();
    try {
      const outcome = await journal.append(sessionId, draft, { expectedLeaf: 'any' });
      if (outcome.kind === 'appended') return outcome.entry;
      throw new Error('an append after any leaf cannot conflict');
    } catch (cause) {
      latch = cause;
      throw cause;
    }
  }

  function assertNotLatched(): void {
    if (latch === undefined) return;
    throw new SessionError('session_persistence_latched', 'the journal failed; open the session again to go on', {
      cause: latch,
    });
  }

  /** Refuses this call and every later one. */
  function latched(cause: unknown): never {
    latch = cause;
    return assertNotLatched() as never;
  }

  function refuseLatched(cause: unknown): never {
    if (isLatching(cause) || (isActivationError(cause) && cause.code === 'activation_persistence_latched'))
      latched(cause);
    throw cause;
  }

  async function start(options: WaitOptions = {}): Promise<StartOutcome> {
    assertNotLatched();
    let resolution: Resolution | undefined;
    for (;;) {
      const { leaf, startupEntry } = await journal.projection(sessionId);
      const missing = startupEntry?.unavailable ?? [];
      if (startupEntry !== undefined && missing.length === 0)
        return { started: false, unavailable: [], diagnostics: [] };
      resolution ??= await resolver.startup({ signal: options.signal });
      const { unavailable, diagnostics } = resolution;
      const isBetter = missing.some((path) => !unavailable.some((still) => still === path));
      if (startupEntry !== undefined && !isBetter) return { started: false, unavailable, diagnostics };
      const draft = startupRecord(resolution, o.reserved);
      const outcome = await journal.append(sessionId, draft, { expectedLeaf: leaf, signal: options.signal });
      if (outcome.kind === 'appended') return { started: true, unavailable, diagnostics };
    }
  }

  async function request(options: WaitOptions = {}): Promise<SentRequest> {
    const diagnostics: Diagnostic[] = [];
    for (;;) {
      assertNotLatched();
      const found = await activation.deliver(options).catch(refuseLatched);
      diagnostics.push(...found.diagnostics);
      const delivery: Delivery = { ...found, diagnostics };
      if (delivery.kind === 'failed' && isLatching(delivery.cause)) latched(delivery.cause);
      const projection = await journal.projection(sessionId);
      if (projection.startupEntry === undefined)
        throw new SessionError('session_not_started', `session ${sessionId} has no startup record`);
      assertNoOpenCalls(projection);
      // What was decided upon another leaf says nothing of what was touched since.
      if (delivery.kind === 'nothing' && delivery.leaf !== projection.leaf) continue;
      const composed = await composeProjected(journal, sessionId, projection);
      assertSendable(composed);
      const number = projection.requests + 1;
      const settles = delivery.kind === 'nothing' ? delivery.settles : [];
      const outcome = await journal
        .append(
          sessionId,
          { kind: 'request', number, digest: digestOf(composed), settles },
          { expectedLeaf: projection.leaf, signal: options.signal },
        )
        .catch(refuseLatched);
      // Another writer got further in between: what it wrote belongs into the request.
      if (outcome.kind === 'appended') return { number, request: composed, delivery };
    }
  }

  function assertNoOpenCalls(projection: Projection): void {
    if (projection.openToolCalls.length === 0) return;
    throw new SessionError(
      'session_open_tool_calls',
      `these calls have no result yet: ${projection.openToolCalls.join(', ')}; record their results, or settle them`,
    );
  }

  return {
    id: sessionId,
    start,
    request,
    prompt: (text) => record({ kind: 'message', role: 'user', text }),
    answer: ({ text, toolCalls }) => record({ kind: 'message', role: 'assistant', text, toolCalls }),
    toolResult: (result) => record({ kind: 'message', role: 'tool', ...result }),
    async closeCalls(reason) {
      const closed: JournalEntry[] = [];
      for (const toolCallId of (await journal.projection(sessionId)).openToolCalls) {
        closed.push(
          await record({ kind: 'message', role: 'tool', toolCallId, text: reason, isError: true, details: undefined }),
        );
      }
      return closed;
    },
    async compact({ summary, keepRequests }) {
      for (;;) {
        assertNotLatched();
        const projection = await journal.projection(sessionId);
        assertNoOpenCalls(projection);
        const keepFrom = await firstOfLast(journal, sessionId, projection.leaf, keepRequests);
        const outcome = await journal
          .append(sessionId, { kind: 'compaction', summary, keepFrom }, { expectedLeaf: projection.leaf })
          .catch(refuseLatched);
        // Another writer may have gone back behind what was to be kept: it is looked for again.
        if (outcome.kind === 'appended') return outcome.entry;
      }
    },
    clear: () => record({ kind: 'context-cleared' }),
    async rewind(requests) {
      assertNotLatched();
      const { leaf } = await journal.projection(sessionId);
      const parent = await before(journal, sessionId, requests);
      const outcome = await journal.append(sessionId, { kind: 'rewind' }, { expectedLeaf: leaf, parent });
      if (outcome.kind === 'appended') return outcome.entry;
      throw new SessionError('session_moved_on', 'another writer went on with the session while it was to go back');
    },
    async fork(to) {
      await journal.fork(sessionId, (await journal.projection(sessionId)).leaf, to);
    },
    projection: () => journal.projection(sessionId),
  };
}

function startupRecord({ modules, unavailable }: Resolution, reserved: readonly string[] | undefined): StartupRecord {
  return {
    kind: 'startup',
    text: renderInstructions(
      modules.map(({ relPath, content }) => ({ kind: 'module', relPath, content, supersedes: false })),
      { reserved },
    ),
    modules: modules.map(({ relPath, sha256 }) => ({ relPath, sha256: sha256 as Sha256 })),
    ...(unavailable.length > 0 ? { unavailable } : {}),
  };
}

/** The oldest entry that belongs to the last `count` requests or follows them; `null` when none is to be kept. */
async function firstOfLast(
  journal: Journal,
  sessionId: SessionId,
  leaf: EntryId | null,
  count: number,
): Promise<{ readonly id: EntryId; readonly depth: number } | null> {
  if (count === 0 || leaf === null) return null;
  let first: JournalEntry | undefined;
  let marks = 0;
  for await (const entry of journal.branch(sessionId, { from: leaf })) {
    if (entry.kind === 'startup') break;
    if (entry.kind === 'request' && ++marks > count) break;
    first = entry;
  }
  return first === undefined ? null : { id: first.id, depth: first.depth };
}

/** The entry that the conversation goes back to: the marker of the request before them, or the startup record. */
async function before(journal: Journal, sessionId: SessionId, count: number): Promise<EntryId> {
  let marks = 0;
  for await (const entry of journal.branch(sessionId)) {
    if (entry.kind === 'request' && ++marks > count) return entry.id;
    if (entry.kind === 'startup' && marks === count) return entry.id;
  }
  throw new SessionError('session_no_such_request', `there are ${marks} requests on the branch, not ${count}`);
}
