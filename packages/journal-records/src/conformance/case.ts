import assert from 'node:assert/strict';
import type { Draft, EntryId, InstructionsRecord, JournalEntry, SessionId, Sha256 } from '../entry.ts';
import { projectBranch } from '../fold.ts';
import { sessionId } from '../identifiers.ts';
import { type AppendOptions, isJournalError, type Journal, type JournalErrorCode } from '../journal.ts';
import type { Projection } from '../projection.ts';

/** One store. `open` may be called again: after `close`, or for a second opening of the same store beside the first. */
export interface JournalUnderTest {
  open(): Promise<Journal>;
  /** Closes what is open and removes the store. */
  dispose(): Promise<void>;
}

export type MakeJournal = () => Promise<JournalUnderTest>;

export interface ConformanceCase {
  /** A statement about every journal. */
  readonly name: string;
  /** Rejects with an assertion error when the statement is wrong. */
  run(make: MakeJournal): Promise<void>;
}

/** A case that gets an open journal, and the store to open it again. */
export function journalCase(
  name: string,
  check: (journal: Journal, store: JournalUnderTest) => Promise<void>,
): ConformanceCase {
  return {
    name,
    async run(make) {
      const store = await make();
      try {
        await check(await store.open(), store);
      } finally {
        await store.dispose();
      }
    },
  };
}

export const main: SessionId = sessionId('main');
export const other: SessionId = sessionId('other');
export const third: SessionId = sessionId('third');
export const absent: EntryId = 'no-such-entry' as EntryId;

export function hash(digit: string): Sha256 {
  return digit.repeat(64) as Sha256;
}

export function user(text: string): Draft {
  return { kind: 'message', role: 'user', text };
}

export function assistant(text: string, ...calls: readonly string[]): Draft {
  const toolCalls = calls.map((id) => ({ id, name: 'read', input: { path: id } }));
  return { kind: 'message', role: 'assistant', text, toolCalls };
}

/** The result of a call that read the file. */
export function readResult(toolCallId: string, path: string): Draft {
  return { kind: 'message', role: 'tool', toolCallId, text: 'text', isError: false, details: { fileAccess: { path } } };
}

export function startup(...modules: readonly (readonly [relPath: string, digit: string])[]): Draft {
  return {
    kind: 'startup',
    text: 'startup',
    modules: modules.map(([relPath, digit]) => ({ relPath, sha256: hash(digit) })),
  };
}

export function delivery(relPath: string, digit: string, supersedes: Sha256 | null = null): InstructionsRecord {
  const instructions = [{ relPath, sha256: hash(digit), supersedes }];
  const text = `${relPath} ${digit}`;
  return {
    kind: 'turn-context',
    context: 'instructions',
    placement: 'after-message',
    text,
    details: { instructions, removed: [] },
  };
}

/** The delivery as one that settles touches. */
export function settling(draft: InstructionsRecord, settles: readonly string[]): InstructionsRecord {
  return { ...draft, details: { ...draft.details, settles } };
}

/** The delivery as one that its host has yet to confirm. */
export function claiming(draft: InstructionsRecord, settles: readonly string[]): InstructionsRecord {
  return { ...draft, details: { ...draft.details, settles, isClaim: true } };
}

export function request(number: number, settles: readonly string[]): Draft {
  return { kind: 'request', number, digest: hash('0'), settles };
}

export function tombstone(relPath: string, successor: string | null = null): Draft {
  const details = { instructions: [], removed: [{ relPath, successor }] };
  return { kind: 'turn-context', context: 'instructions', placement: 'after-message', text: `no ${relPath}`, details };
}

/** A compaction that keeps from the entry on. */
export function compaction(keepFrom: JournalEntry | null): Draft {
  const kept = keepFrom === null ? null : { id: keepFrom.id, depth: keepFrom.depth };
  return { kind: 'compaction', summary: 'what was said', keepFrom: kept };
}

/** Appends and insists that it was written; after whatever is the leaf when not told otherwise. */
export async function add(
  journal: Journal,
  session: SessionId,
  draft: Draft,
  o: AppendOptions = { expectedLeaf: 'any' },
): Promise<JournalEntry> {
  const outcome = await journal.append(session, draft, o);
  assert.equal(outcome.kind, 'appended');
  if (outcome.kind !== 'appended') throw new Error('unreachable');
  return outcome.entry;
}

export async function addAll(
  journal: Journal,
  session: SessionId,
  ...drafts: readonly Draft[]
): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (const draft of drafts) entries.push(await add(journal, session, draft));
  return entries;
}

/** Goes back to an entry (`null`: before the first) and says so. */
export async function rewind(journal: Journal, session: SessionId, to: JournalEntry | null): Promise<JournalEntry> {
  return add(journal, session, { kind: 'rewind' }, { expectedLeaf: 'any', parent: to === null ? null : to.id });
}

/** Newest first, as the journal gives it. */
export async function branchOf(journal: Journal, session: SessionId, from?: EntryId): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.branch(session, { from })) entries.push(entry);
  return entries;
}

/** The projection, after checking that it is the fold of the branch and that the branch is one chain. */
export async function checkedProjection(journal: Journal, session: SessionId): Promise<Projection> {
  const projection = await journal.projection(session);
  const branch = await branchOf(journal, session);
  assert.deepEqual(projection, projectBranch(branch));
  for (const [index, entry] of branch.entries()) {
    assert.equal(entry.depth, branch.length - 1 - index);
    assert.equal(entry.parentId, branch[index + 1]?.id ?? null);
  }
  return projection;
}

/** Insists on the error's code; its text is for people. */
export async function rejects(work: Promise<unknown>, code: JournalErrorCode): Promise<void> {
  await assert.rejects(work, (error) => isJournalError(error) && error.code === code);
}
