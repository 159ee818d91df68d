export { checkDraft, createEntry } from './draft.ts';
export type {
  AssistantMessage,
  ClaimRecord,
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
  RequestRecord,
  RewindRecord,
  SessionId,
  SettleRecord,
  Sha256,
  StartupRecord,
  ToolCall,
  ToolResultDetails,
  ToolResultMessage,
  TouchRecord,
  UnknownRecord,
  UserMessage,
} from './entry.ts';
export { isLatching } from './failure.ts';
export { advance, BranchFold, floorAfter, projectBranch } from './fold.ts';
export { type OpenJournalOptions, openJournal } from './gate.ts';
export { parseSessionId, sessionId } from './identifiers.ts';
export {
  type AppendOptions,
  type AppendOutcome,
  type BranchOptions,
  isJournalError,
  type Journal,
  JournalError,
  type JournalErrorCode,
  type SalvageReport,
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
export { type Place, type PlannedAppend, planAppend } from './plan.ts';
export {
  activeVersion,
  type DeliveredVersion,
  emptyProjection,
  type OpenClaim,
  type Projection,
} from './projection.ts';
export { type Sealed, sealEntry, unsealEntry } from './seal.ts';
export type { AppendPlan, CommitOutcome, JournalStore, Scanned, StoredEntry, StoredHead } from './store.ts';
