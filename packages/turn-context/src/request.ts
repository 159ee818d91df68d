import type { DeliveredInstruction, EntryId, InstructionsRecord, ToolCall } from '@codicil/journal-records';
import { TurnContextError } from './errors.ts';

/** One message of a request, made from one entry. Which optional fields are there follows from `role` and `kind`. */
export interface RequestMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  /** `message`: said by a person, the model or a tool. The others are the user's role speaking for the host. */
  readonly kind: 'message' | 'instructions' | 'context' | 'summary';
  readonly text: string;
  /** Of an assistant message; may be empty. */
  readonly toolCalls?: readonly ToolCall[];
  /** Of a tool message, with `isError`. */
  readonly toolCallId?: string;
  readonly isError?: boolean;
  /** What an `instructions` message delivers, with `removed`: for programs, the text says it to the model. */
  readonly instructions?: readonly DeliveredInstruction[];
  readonly removed?: InstructionsRecord['details']['removed'];
  readonly entryId: EntryId;
}

/** What goes to a provider, in no provider's own format. */
export interface ProviderRequest {
  /** The text of the startup record; empty when there is none. */
  readonly system: string;
  /** Oldest first. */
  readonly messages: readonly RequestMessage[];
  /** Calls without a result directly after the message that made them, in order. */
  readonly openToolCalls: readonly string[];
  /** The call ids of results that do not directly follow the message with their call, in order. */
  readonly strayResults: readonly string[];
}

/**
 * Throws a `TurnContextError` unless each tool call has its result directly after it and each result its call: what providers insist on. An
 * open call is settled by running the tool or by an error result; a stray result comes from a compaction that kept a result without its call.
 */
export function assertSendable(request: ProviderRequest): void {
  const { openToolCalls, strayResults } = request;
  if (openToolCalls.length > 0) {
    throw new TurnContextError(
      'turn_context_open_tool_calls',
      `these tool calls have no result yet: ${listed(openToolCalls)}`,
    );
  }
  if (strayResults.length > 0) {
    throw new TurnContextError(
      'turn_context_result_without_call',
      `these tool results do not follow their call: ${listed(strayResults)}`,
    );
  }
}

function listed(ids: readonly string[]): string {
  return ids.map((id) => JSON.stringify(id)).join(', ');
}
