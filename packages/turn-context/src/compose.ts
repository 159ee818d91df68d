import {
  type EntryId,
  floorAfter,
  type Journal,
  type JournalEntry,
  type Projection,
  type SessionId,
} from '@codicil/journal-records';
import { TurnContextError } from './errors.ts';
import type { ProviderRequest, RequestMessage } from './request.ts';

/**
 * The request that a branch (in either order) stands for. Pure: the same entries give the same request, and one more entry only adds to it,
 * unless it is a compaction, a cleared context, a startup record, or a delivery given back.
 *
 * `system` is the latest startup text. The messages are the summary of the latest compaction, then the entries above the floor in their
 * order; a delivery that its host gave back is left out, and records that say nothing to a model give none. Turn context stands where it was recorded, after the message
 * before it; throws `turn_context_between_call_and_result` where that is between a tool call and its result, because no provider would take it and moving it
 * would rewrite what the model has seen. What else a provider would refuse is listed in the request: see `assertSendable`.
 */
export function composeRequest(branch: Iterable<JournalEntry>): ProviderRequest {
  const entries = [...branch];
  const [first, last] = [entries.at(0), entries.at(-1)];
  if (first !== undefined && last !== undefined && first.depth > last.depth) entries.reverse();

  const floor = entries.reduce((highest, entry) => Math.max(highest, floorAfter(entry)), -1);
  const visible = entries.filter((entry) => entry.depth > floor);
  const startup = entries.findLast((entry) => entry.kind === 'startup');
  const summary = visible.findLast((entry) => entry.kind === 'compaction');
  const givenBack = deliveriesGivenBack(entries);
  const transcript = new Transcript();
  if (summary?.kind === 'compaction') {
    transcript.add({ role: 'user', kind: 'summary', text: summary.summary, entryId: summary.id });
  }
  for (const entry of visible) {
    const message = givenBack.has(entry.id) ? undefined : messageOf(entry);
    if (message !== undefined) transcript.add(message);
  }
  return { system: startup?.kind === 'startup' ? startup.text : '', ...transcript.close() };
}

/**
 * The request at a state of a session, as its projection tells it. Reads what lies after the floor and nothing before it, so its cost
 * does not grow with what was compacted away. Rejects as `Journal.branch` does, and as `composeRequest`.
 */
export async function composeProjected(
  journal: Pick<Journal, 'branch'>,
  sessionId: SessionId,
  { leaf, floor, startupEntry }: Pick<Projection, 'leaf' | 'floor' | 'startupEntry'>,
): Promise<ProviderRequest> {
  const entries: JournalEntry[] = [];
  if (leaf !== null) {
    for await (const entry of journal.branch(sessionId, { from: leaf, downTo: floor + 1 })) {
      if (entry.depth > floor) entries.push(entry);
    }
  }
  if (startupEntry !== undefined && startupEntry.depth <= floor) entries.push(startupEntry);
  return composeRequest(entries);
}

/**
 * The request at the leaf of a session, or at another entry of its branches, for which the branch is read to its beginning. Rejects as
 * `Journal.branch` does, and as `composeRequest`.
 */
export async function composeFromJournal(
  journal: Pick<Journal, 'branch' | 'projection'>,
  sessionId: SessionId,
  o: { readonly from?: EntryId | undefined } = {},
): Promise<ProviderRequest> {
  if (o.from === undefined) return composeProjected(journal, sessionId, await journal.projection(sessionId));
  const entries: JournalEntry[] = [];
  let floor = -1;
  // Newest first, so what is cut off is known before it comes by, and a long past costs no memory.
  for await (const entry of journal.branch(sessionId, { from: o.from })) {
    floor = Math.max(floor, floorAfter(entry));
    if (entry.depth > floor || entry.kind === 'startup') entries.push(entry);
  }
  return composeRequest(entries);
}

/** The first word on a claim counts, and after a cleared context there is none to be said. */
function deliveriesGivenBack(entries: readonly JournalEntry[]): ReadonlySet<EntryId> {
  const open = new Set<EntryId>();
  const givenBack = new Set<EntryId>();
  for (const entry of entries) {
    if (entry.kind === 'context-cleared') open.clear();
    if (entry.kind === 'turn-context' && entry.context === 'instructions' && entry.details.isClaim === true) {
      open.add(entry.id);
    }
    if (entry.kind !== 'claim' || !open.delete(entry.delivery)) continue;
    if (entry.outcome === 'given-back') givenBack.add(entry.delivery);
  }
  return givenBack;
}

function messageOf(entry: JournalEntry): RequestMessage | undefined {
  const entryId = entry.id;
  if (entry.kind === 'turn-context') {
    if (entry.context === 'other') return { role: 'user', kind: 'context', text: entry.text, entryId };
    const { instructions, removed } = entry.details;
    return { role: 'user', kind: 'instructions', text: entry.text, instructions, removed, entryId };
  }
  if (entry.kind !== 'message') return undefined;
  const { text } = entry;
  switch (entry.role) {
    case 'user':
      return { role: 'user', kind: 'message', text, entryId };
    case 'assistant':
      return { role: 'assistant', kind: 'message', text, toolCalls: entry.toolCalls, entryId };
    case 'tool':
      return { role: 'tool', kind: 'message', text, toolCallId: entry.toolCallId, isError: entry.isError, entryId };
  }
}

/** Collects messages and watches that results directly follow the message with their calls. */
class Transcript {
  readonly #messages: RequestMessage[] = [];
  readonly #openToolCalls: string[] = [];
  readonly #strayResults: string[] = [];
  /** Calls of the message just before, whose results may still follow. */
  readonly #awaited = new Set<string>();

  add(message: RequestMessage): void {
    if (message.role === 'tool') this.#close(message.toolCallId);
    else this.#endTurn(message);
    if (message.role === 'assistant') for (const call of message.toolCalls) this.#awaited.add(call.id);
    this.#messages.push(message);
  }

  close(): Omit<ProviderRequest, 'system'> {
    this.#openToolCalls.push(...this.#awaited);
    return { messages: this.#messages, openToolCalls: this.#openToolCalls, strayResults: this.#strayResults };
  }

  #close(callId: string): void {
    if (!this.#awaited.delete(callId)) this.#strayResults.push(callId);
  }

  #endTurn(message: RequestMessage): void {
    if (this.#awaited.size > 0 && (message.kind === 'instructions' || message.kind === 'context')) {
      throw new TurnContextError(
        'turn_context_between_call_and_result',
        `entry ${message.entryId} puts context before the results of ${[...this.#awaited].join(', ')}: record it after the last result`,
      );
    }
    this.#openToolCalls.push(...this.#awaited);
    this.#awaited.clear();
  }
}
