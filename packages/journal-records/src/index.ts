export { checkDraft, createEntry } from './draft.ts';
export type {
  AssistantMessage,
  CompactionRecord,
  ContextClearedRecord,
  CustomRecord,
  DeliveredInstruction,
  Draft,
  EntryHead,
  EntryId,
  InstructionsRecord,
  JournalEntry,
  Message,
  OtherContextRecord,
  RewindRecord,
  SessionId,
  Sha256,
  StartupRecord,
  ToolCall,
  ToolResultDetails,
  ToolResultMessage,
  UnknownRecord,
  UserMessage,
} from './entry.ts';
export { advance, BranchFold, projectBranch } from './fold.ts';
export { createEntryId, parseSessionId, sessionId } from './identifiers.ts';
export {
  type AppendOptions,
  type AppendOutcome,
  isJournalError,
  type Journal,
  JournalError,
  type JournalErrorCode,
  type SessionSummary,
  type StoreProblem,
  type VerifyReport,
} from './journal.ts';
export { MAX_DRAFT_NESTING, MAX_DRAFT_TEXT } from './json.ts';
export {
  createMemoryJournal,
  createMemoryStore,
  type MemoryJournal,
  type MemoryJournalOptions,
  type MemoryStore,
} from './memory.ts';
export { activeVersion, type DeliveredVersion, emptyProjection, type Projection } from './projection.ts';
export { reviveEntry } from './revive.ts';
export { serializeEntry } from './serialize.ts';
