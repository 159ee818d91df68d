import type { EntryId, Journal, JournalEntry, SessionId } from '@codicil/journal-records';
import { TurnContextError } from './errors.ts';
import type { ProviderRequest, RequestMessage } from './request.ts';

/**
 * The request that a branch (in either order) stands for. Pure: the same entries give the same request, and one more entry only adds to it,
 * unless it is a compaction, a cleared context or a startup record.
 *
 * `system` is the latest startup text. The messages are the summary of the latest compaction, then the entries above the floor in their
 * order; rewind, custom and unknown records give none. Turn context stands where it was recorded, after the message before it; throws
 * `turn_context_between_call_and_result` where that is between a tool call and its result, because no provider would take it and moving it
 * would rewrite what the model has seen. What else a provider would refuse is listed in the request: see `assertSendable`.
 */
export function composeRequest(branch: Iterable<JournalEntry>): ProviderRequest {
  const entries = [...branch];
  const [first, last] = [entries.at(0), entries.at(-1)];
  if (first !== undefined && last !== undefined && first.depth > last.depth) entries.reverse();

  const floor = entries.reduce((highest, entry) => Math.max(highest, cutOf(entry)), -1);
  const visible = entries.filter((entry) => entry.depth > floor);
  const startup = entries.findLast((entry) => entry.kind === 'startup');
  const summary = visible.findLast((entry) => entry.kind === 'compaction');
  const transcript = new Transcript();
  if (summary?.kind === 'compaction') {
    transcript.add({ role: 'user', kind: 'summary', text: summary.summary, entryId: summary.id });
  }
  for (const entry of visible) {
    const message = messageOf(entry);
    if (message !== undefined) transcript.add(message);
  }
  return { system: startup?.kind === 'startup' ? startup.text : '', ...transcript.close() };
}

/** The request at the leaf of a session, or at another entry of its branches. Rejects as `Journal.branch` does, and as `composeRequest`. */
export async function composeFromJournal(
  journal: Pick<Journal, 'branch'>,
  sessionId: SessionId,
  o: { readonly from?: EntryId | undefined } = {},
): Promise<ProviderRequest> {
  const entries: JournalEntry[] = [];
  let floor = -1;
  // Newest first, so what is cut off is known before it comes by, and a long past costs no memory.
  for await (const entry of journal.branch(sessionId, o)) {
    floor = Math.max(floor, cutOf(entry));
    if (entry.depth > floor || entry.kind === 'startup') entries.push(entry);
  }
  return composeRequest(entries);
}

/** The depth up to which an entry takes everything out of the context; -1 for nothing. */
function cutOf(entry: JournalEntry): number {
  if (entry.kind === 'context-cleared') return entry.depth;
  if (entry.kind === 'compaction') return (entry.keepFrom === null ? entry.depth : entry.keepFrom.depth) - 1;
  return -1;
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
    if (message.role === 'tool') this.#settle(message.toolCallId ?? '');
    else this.#endTurn(message);
    for (const call of message.toolCalls ?? []) this.#awaited.add(call.id);
    this.#messages.push(message);
  }

  close(): Omit<ProviderRequest, 'system'> {
    this.#openToolCalls.push(...this.#awaited);
    return { messages: this.#messages, openToolCalls: this.#openToolCalls, strayResults: this.#strayResults };
  }

  #settle(callId: string): void {
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
