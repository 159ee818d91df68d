import type { DeliveredInstruction, EntryId, InstructionsRecord, ToolCall } from '@codicil/journal-records';
import { TurnContextError } from './errors.ts';

interface Said {
  readonly text: string;
  /** The entry that the message was made from. */
  readonly entryId: EntryId;
}

/** Said by a person. */
export interface UserRequestMessage extends Said {
  readonly role: 'user';
  readonly kind: 'message';
}

/** Said by the model. */
export interface AssistantRequestMessage extends Said {
  readonly role: 'assistant';
  readonly kind: 'message';
  /** May be empty. */
  readonly toolCalls: readonly ToolCall[];
}

/** Said by a tool. */
export interface ToolRequestMessage extends Said {
  readonly role: 'tool';
  readonly kind: 'message';
  readonly toolCallId: string;
  readonly isError: boolean;
}

/** A delivery. The lists are for programs; the text says the same to the model. */
export interface InstructionsRequestMessage extends Said {
  readonly role: 'user';
  readonly kind: 'instructions';
  readonly instructions: readonly DeliveredInstruction[];
  readonly removed: InstructionsRecord['details']['removed'];
}

/** Turn context of another kind, or the summary that a compaction left. */
export interface ContextRequestMessage extends Said {
  readonly role: 'user';
  readonly kind: 'context' | 'summary';
}

/** One message of a request, made from one entry. Those of the user's role that are no `message` speak for the host. */
export type RequestMessage =
  | UserRequestMessage
  | AssistantRequestMessage
  | ToolRequestMessage
  | InstructionsRequestMessage
  | ContextRequestMessage;

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
 * open call is closed by running the tool or by an error result; a stray result comes from a compaction that kept a result without its call.
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
