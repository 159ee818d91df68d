import { deepStrictEqual, ok } from 'node:assert/strict';
import type {
  DeliveredVersion,
  Draft,
  EntryId,
  Journal,
  JournalEntry,
  Projection,
  SessionId,
} from '@codicil/journal-records';
import fc from 'fast-check';
import { anyDraft, anySessionId } from './conversations.ts';

/** What a journal holds, as plain lists: slower, and right at a glance. */
export class JournalModel {
  readonly sessions: Map<SessionId, { leaf: EntryId | null; own: JournalEntry[]; fork: JournalEntry[] }> = new Map();

  /** The branch of an entry, oldest first. */
  branch(session: SessionId, from: EntryId | null = this.leaf(session)): readonly JournalEntry[] {
    const entry = this.reachable(session).find(({ id }) => id === from);
    return entry === undefined ? [] : [...this.branch(session, entry.parentId), entry];
  }

  leaf(session: SessionId): EntryId | null {
    return this.sessions.get(session)?.leaf ?? null;
  }

  /** What the session inherited, and its own entries on all its branches. */
  reachable(session: SessionId): readonly JournalEntry[] {
    const { own = [], fork = [] } = this.sessions.get(session) ?? {};
    return [...fork, ...own];
  }

  /** The nth entry of those that the session knows, counted around; `null` when it knows none. */
  pick(session: SessionId, nth: number): JournalEntry | null {
    const known = this.reachable(session);
    return known[nth % known.length] ?? null;
  }

  append(entry: JournalEntry): void {
    const session = this.sessions.get(entry.sessionId) ?? { leaf: null, own: [], fork: [] };
    this.sessions.set(entry.sessionId, { ...session, leaf: entry.id, own: [...session.own, entry] });
  }

  fork(from: SessionId, at: EntryId | null, to: SessionId): void {
    this.sessions.set(to, { leaf: at, own: [], fork: [...this.branch(from, at)] });
  }
}

/** What a branch (oldest first) says, rule by rule as the docstrings state them and not as a fold. */
export function expectedProjection(branch: readonly JournalEntry[]): Projection {
  const floors = branch.map((entry) => {
    if (entry.kind === 'context-cleared') return entry.depth;
    if (entry.kind === 'compaction') return (entry.keepFrom?.depth ?? entry.depth) - 1;
    return -1;
  });
  const floor = Math.max(-1, ...floors);
  const startup = branch.findLast((entry) => entry.kind === 'startup');
  const cleared = branch.findLastIndex(({ kind }) => kind === 'context-cleared');
  const claims = branch.flatMap((entry) =>
    entry.kind === 'turn-context' && entry.context === 'instructions' && entry.details.isClaim === true ? [entry] : [],
  );
  /** The first word on a claim counts, and after a cleared context there is none to be said. */
  const endOf = (claim: JournalEntry) =>
    branch.find(
      (entry) =>
        (entry.kind === 'claim' && entry.delivery === claim.id && entry.depth > claim.depth) ||
        (entry.kind === 'context-cleared' && entry.depth > claim.depth),
    );
  const isGivenBack = (entry: JournalEntry): boolean => {
    const end = claims.some(({ id }) => id === entry.id) ? endOf(entry) : undefined;
    return end?.kind === 'claim' && end.outcome === 'given-back';
  };
  /** What each path's latest record says, looking at those that come before a depth. */
  const versions = (before: number): Map<string, DeliveredVersion> =>
    new Map(
      branch.filter((entry) => entry.depth > floor && entry.depth < before && !isGivenBack(entry)).flatMap(versionsIn),
    );
  const waiting = new Set<string>();
  for (const entry of branch) {
    if (entry.kind === 'context-cleared') waiting.clear();
    for (const path of touchedIn(entry)) waiting.add(path);
    if (entry.kind === 'claim' && entry.outcome === 'given-back') {
      const claim = claims.find((one) => endOf(one) === entry);
      for (const path of claim?.details.settles ?? []) waiting.add(path);
    }
    for (const path of settledBy(entry)) waiting.delete(path);
  }
  const start = branch.findLastIndex(
    (entry) => entry.kind === 'context-cleared' || (entry.kind === 'message' && entry.role === 'assistant'),
  );
  const answer = branch[start];
  const calls = answer?.kind === 'message' && answer.role === 'assistant' ? answer.toolCalls : [];
  const results = branch
    .slice(start + 1)
    .flatMap((entry) => (entry.kind === 'message' && entry.role === 'tool' ? [entry] : []));
  const request = branch.findLast((entry) => entry.kind === 'request');
  return {
    leaf: branch.at(-1)?.id ?? null,
    depth: branch.length - 1,
    floor,
    startupEntry: startup?.kind === 'startup' ? startup : undefined,
    startup: new Map(
      startup?.kind === 'startup' ? startup.modules.map(({ relPath, sha256 }) => [relPath, sha256]) : [],
    ),
    delivered: versions(branch.length),
    pendingTouches: [...waiting],
    claims: new Map(
      claims
        .filter((claim) => claim.depth > cleared && endOf(claim) === undefined)
        .map((claim) => [
          claim.id,
          { settles: claim.details.settles ?? [], before: beforeOf(claim, versions(claim.depth)) },
        ]),
    ),
    openToolCalls: calls.map(({ id }) => id).filter((id) => !results.some(({ toolCallId }) => toolCallId === id)),
    requests: request?.kind === 'request' ? request.number : 0,
  };
}

function versionsIn(entry: JournalEntry): [string, DeliveredVersion][] {
  if (entry.kind !== 'turn-context' || entry.context !== 'instructions') return [];
  const { instructions, removed } = entry.details;
  const said = [...instructions, ...removed.map(({ relPath }) => ({ relPath, sha256: null }))];
  return said.map(({ relPath, sha256 }) => [relPath, { sha256, entryId: entry.id, depth: entry.depth }]);
}

function beforeOf(
  claim: JournalEntry,
  versions: ReadonlyMap<string, DeliveredVersion>,
): ReadonlyMap<string, DeliveredVersion | null> {
  return new Map(versionsIn(claim).map(([path]) => [path, versions.get(path) ?? null]));
}

function touchedIn(entry: JournalEntry): readonly string[] {
  if (entry.kind === 'touch') return entry.paths;
  if (entry.kind !== 'message' || entry.role !== 'tool' || entry.isError) return [];
  return entry.details?.fileAccess === undefined ? [] : [entry.details.fileAccess.path];
}

function settledBy(entry: JournalEntry): readonly string[] {
  if (entry.kind === 'request') return entry.settles;
  if (entry.kind === 'settle') return entry.paths;
  if (entry.kind === 'turn-context' && entry.context === 'instructions') return entry.details.settles ?? [];
  return [];
}

/** The journal under test; `reopen` puts a new opening of the same store in its place. */
export interface RealJournal {
  journal: Journal;
  reopen(): Promise<Journal>;
}

type Command = fc.AsyncCommand<JournalModel, RealJournal>;

/** Compares everything that a session shows with the model. */
export async function checkSession(model: JournalModel, journal: Journal, session: SessionId): Promise<void> {
  const branch: JournalEntry[] = [];
  for await (const entry of journal.branch(session)) branch.unshift(entry);
  deepStrictEqual(branch, model.branch(session));
  const projection = await journal.projection(session);
  deepStrictEqual(projection, expectedProjection(branch));
}

function command(name: string, check: (model: Readonly<JournalModel>) => boolean, run: Command['run']): Command {
  return { check, run, toString: () => name };
}

const always = (): boolean => true;

/** Appends and checks the answer against the model. `parent: undefined` continues from the leaf. */
async function append(
  model: JournalModel,
  journal: Journal,
  at: { readonly session: SessionId; readonly expects: 'leaf' | 'any'; readonly parent?: EntryId | null | undefined },
  draft: Draft,
): Promise<void> {
  const leaf = model.leaf(at.session);
  const expectedLeaf = at.expects === 'leaf' ? leaf : 'any';
  const outcome = await journal.append(at.session, draft, { expectedLeaf, parent: at.parent });
  ok(outcome.kind === 'appended');
  const parentId = at.parent === undefined ? leaf : at.parent;
  deepStrictEqual(outcome.entry.parentId, parentId);
  deepStrictEqual(outcome.entry.depth, model.branch(at.session, parentId).length);
  model.append(outcome.entry);
  deepStrictEqual(outcome.projection, expectedProjection(model.branch(at.session)));
}

function appendCommand(session: SessionId, expects: 'leaf' | 'any', draft: Draft): Command {
  return command(`append(${session}, ${expects}, ${JSON.stringify(draft)})`, always, async (model, { journal }) => {
    await append(model, journal, { session, expects }, draft);
  });
}

/** Keeps from the nth entry of the session, or nothing when that is not on the active branch. */
function compactCommand(session: SessionId, expects: 'leaf' | 'any', nth: number | undefined): Command {
  return command(`compact(${session}, ${expects}, ${nth})`, always, async (model, { journal }) => {
    const target = nth === undefined ? null : model.pick(session, nth);
    const kept = model.branch(session).find(({ id }) => id === target?.id);
    const keepFrom = kept === undefined ? null : { id: kept.id, depth: kept.depth };
    await append(model, journal, { session, expects }, { kind: 'compaction', summary: 's', keepFrom });
  });
}

function rewindCommand(session: SessionId, expects: 'leaf' | 'any', nth: number | undefined): Command {
  return command(`rewind(${session}, ${expects}, ${nth})`, always, async (model, { journal }) => {
    const parent = nth === undefined ? null : (model.pick(session, nth)?.id ?? null);
    await append(model, journal, { session, expects, parent }, { kind: 'rewind' });
  });
}

/** Says something of the nth entry that the session knows as of a claim: most are none, and what is said of them changes nothing. */
function claimCommand(session: SessionId, nth: number, outcome: 'confirmed' | 'given-back'): Command {
  return command(`claim(${session}, ${nth}, ${outcome})`, always, async (model, { journal }) => {
    const claims = model
      .reachable(session)
      .filter((entry) => entry.kind === 'turn-context' && entry.context === 'instructions' && entry.details.isClaim);
    const delivery = (claims[nth % claims.length] ?? model.pick(session, nth))?.id;
    if (delivery === undefined) return;
    await append(model, journal, { session, expects: 'any' }, { kind: 'claim', delivery, outcome });
  });
}

function lateAppendCommand(session: SessionId, nth: number): Command {
  const staleLeaf = (model: Readonly<JournalModel>): EntryId | null => model.pick(session, nth)?.id ?? null;
  return command(
    `late append(${session}, ${nth})`,
    (model) => staleLeaf(model) !== model.leaf(session),
    async (model, { journal }) => {
      const draft: Draft = { kind: 'message', role: 'user', text: 'late' };
      const outcome = await journal.append(session, draft, { expectedLeaf: staleLeaf(model) });
      deepStrictEqual(outcome, { kind: 'conflict', leaf: model.leaf(session) });
    },
  );
}

function forkCommand(from: SessionId, nth: number | undefined, to: SessionId): Command {
  return command(
    `fork(${from}, ${nth}, ${to})`,
    (model) => model.sessions.has(from) && !model.sessions.has(to),
    async (model, { journal }) => {
      const at = nth === undefined ? null : (model.pick(from, nth)?.id ?? null);
      const projection = await journal.fork(from, at, to);
      model.fork(from, at, to);
      deepStrictEqual(projection, expectedProjection(model.branch(to)));
    },
  );
}

function reopenCommand(): Command {
  return command('reopen', always, async (model, real) => {
    real.journal = await real.reopen();
    for (const session of model.sessions.keys()) await checkSession(model, real.journal, session);
  });
}

/** Sequences of appends (after the leaf, to an earlier entry, too late), compactions, forks and new openings. */
export function anyJournalCommands(size: { readonly maxCommands: number }): fc.Arbitrary<Iterable<Command>> {
  const session = anySessionId();
  const nth = fc.nat({ max: 40 });
  const maybe = fc.option(nth, { nil: undefined });
  const expects = fc.constantFrom('leaf' as const, 'any' as const);
  const said = fc.tuple(session, expects, anyDraft()).map((parts) => appendCommand(...parts));
  return fc.commands(
    [
      said,
      said,
      said,
      fc.tuple(session, expects, maybe).map((parts) => compactCommand(...parts)),
      fc.tuple(session, expects, maybe).map((parts) => rewindCommand(...parts)),
      fc
        .tuple(session, nth, fc.constantFrom('confirmed' as const, 'given-back' as const))
        .map((parts) => claimCommand(...parts)),
      fc.tuple(session, nth).map((parts) => lateAppendCommand(...parts)),
      fc.tuple(session, maybe, session).map((parts) => forkCommand(...parts)),
      fc.constant(reopenCommand()),
    ],
    // Without it a run is a handful of commands, too short for what shows only after a rewind or a fork.
    { maxCommands: size.maxCommands, size: 'max' },
  );
}
