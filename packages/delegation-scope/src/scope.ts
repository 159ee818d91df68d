/** A session as the host's store holds it. What a process remembers of it is no evidence. */
export interface SessionRow {
  readonly id: string;
  /** The session that it was delegated or forked from; `null` for a root. */
  readonly parentId: string | null;
  readonly accountId: string;
  readonly kind: SessionKind;
  /** The project that the session is bound to. */
  readonly projectId: string | null;
}

export type SessionKind =
  /** A person's own conversation. */
  | 'conversation'
  | 'subagent'
  /** Continues its parent with the same prefix. */
  | 'fork'
  /** A room that several people see. */
  | 'shared'
  /** Started by a timer. One that is delivered into a conversation is that conversation's, one that stands alone is nobody's. */
  | 'scheduled';

export interface Account {
  readonly id: string;
  readonly kind: 'administrator' | 'chatbot' | 'other';
}

export type Scope =
  /** The project's whole instruction scope. */
  | { readonly kind: 'granted'; readonly extent: 'project'; readonly root: string; readonly chain: readonly string[] }
  /** The bound project's root file and modules, and nothing that is found by a folder. */
  | {
      readonly kind: 'granted';
      readonly extent: 'bound-project';
      readonly projectId: string;
      readonly root: string;
      readonly chain: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly at: string };

export type RefusalReason =
  /** The account is neither an administrator nor a chatbot. */
  | 'account_without_scope'
  /** A session of the chain has no row. */
  | 'missing_row'
  /** A session of the chain belongs to someone else. */
  | 'foreign_row'
  /** A delegated session that names no parent. */
  | 'orphan'
  /** The chain comes back to a session that it has passed. */
  | 'cycle'
  | 'too_deep'
  /** A shared room stands on the chain. */
  | 'shared'
  /** The chain begins with a timer. */
  | 'scheduled_root'
  /** A conversation that claims a parent. */
  | 'malformed_row'
  /** A row of a kind that this version does not know. */
  | 'unknown_kind'
  /** A chatbot's session that is bound to no project. */
  | 'unbound'
  /** The chatbot's policy does not admit the project that the session is bound to. */
  | 'project_not_admitted';

export interface ScopeQuestion {
  readonly sessionId: string;
  readonly account: Account;
  /** Reads one row of the durable store; `undefined` when there is none. What it throws escapes. */
  readonly row: (id: string) => Promise<SessionRow | undefined> | SessionRow | undefined;
  /** The account's policy as it is now. Asked for chatbots alone. */
  readonly admitsProject: (projectId: string) => Promise<boolean> | boolean;
}

const KINDS: ReadonlySet<string> = new Set<SessionKind>(['conversation', 'subagent', 'fork', 'shared', 'scheduled']);

/** Sessions on a chain. Nobody delegates so deep; a store that says so is damaged. */
export const MAX_CHAIN = 1_000;

/**
 * Proves which conversation a session belongs to, and so what instructions it may receive (invariants D1, D2). Only rows on the chain are read. That a
 * process calls itself an administrator's proves nothing: in a shared room anyone can be the one who speaks.
 */
export async function proveScope(question: ScopeQuestion): Promise<Scope> {
  const { account, sessionId } = question;
  // Named one by one: a kind that a later version adds has no scope until someone gives it one.
  if (account.kind !== 'administrator' && account.kind !== 'chatbot')
    return refused('account_without_scope', sessionId);
  const walk = await walkToRoot(question);
  if (walk.kind === 'refused') return walk;
  const { own, root, chain } = walk;
  if (account.kind === 'chatbot') {
    if (own.projectId === null) return refused('unbound', sessionId);
    if (!(await question.admitsProject(own.projectId))) return refused('project_not_admitted', sessionId);
    return { kind: 'granted', extent: 'bound-project', projectId: own.projectId, root: root.id, chain };
  }
  const shared = walk.shared;
  if (shared !== undefined) return refused('shared', shared);
  if (root.kind === 'scheduled') return refused('scheduled_root', root.id);
  return { kind: 'granted', extent: 'project', root: root.id, chain };
}

interface Walk {
  readonly kind: 'walked';
  readonly own: SessionRow;
  readonly root: SessionRow;
  /** From the session to its root, both included. */
  readonly chain: readonly string[];
  /** The first shared room on the way. */
  readonly shared: string | undefined;
}

async function walkToRoot({
  sessionId,
  account,
  row,
}: ScopeQuestion): Promise<Walk | (Scope & { readonly kind: 'refused' })> {
  const chain = new Set<string>();
  let own: SessionRow | undefined;
  let shared: string | undefined;
  for (let id = sessionId; ; ) {
    if (chain.has(id)) return refused('cycle', id);
    if (chain.size === MAX_CHAIN) return refused('too_deep', id);
    const found = await row(id);
    if (found === undefined || found.id !== id) return refused('missing_row', id);
    if (found.accountId !== account.id) return refused('foreign_row', id);
    // The store may be newer than this code.
    if (!KINDS.has(found.kind)) return refused('unknown_kind', id);
    chain.add(id);
    own ??= found;
    if (found.kind === 'shared') shared ??= id;
    if (found.parentId !== null) {
      if (found.kind === 'conversation') return refused('malformed_row', id);
      id = found.parentId;
      continue;
    }
    if (found.kind === 'subagent' || found.kind === 'fork') return refused('orphan', id);
    return { kind: 'walked', own, root: found, chain: [...chain], shared };
  }
}

function refused(reason: RefusalReason, at: string): Scope & { readonly kind: 'refused' } {
  return { kind: 'refused', reason, at };
}
