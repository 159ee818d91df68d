import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '@codicil/diagnostics';
import { type Journal, JournalError, parseSessionId, type SessionId } from '@codicil/journal-records';
import { openSession, type Session } from '@codicil/session';
import { CommandError } from '../command-error.ts';
import { openProject } from '../project.ts';
import { openStore, type StoreKind } from '../store.ts';
import type { Scenario, Step, Touch } from './scenario.ts';
import { copyTree, layDownTree, placeOf } from './tree.ts';

/** One provider request exactly as the model would receive it. */
export interface ReplayedRequest {
  readonly request: number;
  readonly session: string;
  readonly system: string;
  readonly messages: readonly object[];
  /** Raised at the boundary before it; not a part of what the model sees. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Plays a scenario in a fresh temporary folder that is removed afterwards. */
export async function* replay(scenario: Scenario, scenarioFolder: string): AsyncGenerator<ReplayedRequest> {
  const home = mkdtempSync(join(tmpdir(), 'codicil-replay-'));
  const root = join(home, 'root');
  try {
    if (scenario.root !== undefined) copyTree(root, resolve(scenarioFolder, scenario.root));
    else layDownTree(root, scenario.tree ?? []);
    const player = await createPlayer(root, join(home, 'journal'), scenario.journal);
    for (const [index, step] of scenario.steps.entries()) {
      try {
        yield* player.play(step);
      } catch (cause) {
        throw new CommandError(`step ${index + 1}, ${JSON.stringify(step)}: ${(cause as Error).message}`, { cause });
      }
    }
    await player.close();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface Player {
  play(step: Step): AsyncGenerator<ReplayedRequest>;
  close(): Promise<void>;
}

async function createPlayer(root: string, storePath: string, kind: StoreKind): Promise<Player> {
  const { resolver } = await openProject(root);
  const store = await openStore(kind, storePath);
  let journal = withFaults(await store.open());
  let current = 'main' as SessionId;
  const opened = new Map<SessionId, Session>();
  let requests = 0;
  let calls = 0;

  async function session(): Promise<Session> {
    let found = opened.get(current);
    if (found === undefined) {
      found = await openSession({ journal, resolver, sessionId: current });
      await found.settle('The session ended before this call had a result.');
      opened.set(current, found);
    }
    return found;
  }

  /** `abandoned` leaves the store as a killed process would: nothing is closed, nothing is said. */
  async function reopen(how: 'closed' | 'abandoned'): Promise<void> {
    if (how === 'closed') await journal.close();
    journal = withFaults(await store.open());
    opened.clear();
  }

  async function* request(diagnostics: readonly Diagnostic[] = []): AsyncGenerator<ReplayedRequest> {
    const sent = await (await session()).request();
    const messages = sent.request.messages.map(({ entryId: _, ...message }) => message);
    yield {
      request: ++requests,
      session: current,
      system: sent.request.system,
      messages,
      diagnostics: [...diagnostics, ...sent.delivery.diagnostics],
    };
  }

  async function* prompt(text: string): AsyncGenerator<ReplayedRequest> {
    const { diagnostics } = await (await session()).start();
    if (await isUnanswered(journal, current)) await (await session()).answer({ text: 'Done.', toolCalls: [] });
    await (await session()).prompt(text);
    yield* request(diagnostics);
  }

  async function* touches(step: { touch: Touch[]; parallel?: boolean | undefined; kill?: string | undefined }) {
    const { diagnostics } = await (await session()).start();
    const running = await session();
    const toolCalls = step.touch.map(({ op, path }) => ({ id: `call-${++calls}`, name: op, input: { path } }));
    await running.answer({ text: '', toolCalls });
    const record = async (touch: Touch, index: number): Promise<void> => {
      const toolCallId = toolCalls[index]?.id ?? '';
      if (touch.outcome === 'refused') {
        await running.toolResult({ toolCallId, text: 'refused', isError: true, details: undefined });
      } else {
        const details = { fileAccess: { path: touch.path } };
        await running.toolResult({ toolCallId, text: `${touch.op} ${touch.path}`, isError: false, details });
      }
    };
    if (step.parallel === true) await Promise.all(step.touch.map(record));
    else for (const [index, touch] of step.touch.entries()) await record(touch, index);
    if (step.kill === undefined) yield* request(diagnostics);
    else await reopen('abandoned');
  }

  async function known(name: string): Promise<SessionId | undefined> {
    const id = parseSessionId(name);
    if (id === undefined) throw new CommandError(`"${name}" cannot name a session`);
    const sessions = await journal.sessions();
    return sessions.some((found) => found.id === id) || opened.has(id) ? id : undefined;
  }

  async function fresh(name: string): Promise<SessionId> {
    if ((await known(name)) !== undefined) throw new CommandError(`there is a session "${name}" already`);
    return name as SessionId;
  }

  async function* play(step: Step): AsyncGenerator<ReplayedRequest> {
    if ('prompt' in step) yield* prompt(step.prompt);
    else if ('touch' in step) yield* touches(step);
    else if ('write' in step) {
      const path = placeOf(root, step.write.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, step.write.text);
    } else if ('remove' in step) rmSync(placeOf(root, step.remove.path), { recursive: true });
    else if ('rename' in step) {
      const to = placeOf(root, step.rename.to);
      mkdirSync(dirname(to), { recursive: true });
      renameSync(placeOf(root, step.rename.from), to);
    } else if ('symlink' in step) {
      const path = placeOf(root, step.symlink.path);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(step.symlink.target, path);
    } else if ('chmod' in step) chmodSync(placeOf(root, step.chmod.path), Number.parseInt(step.chmod.mode, 8));
    else if ('failAppend' in step) journal.failInstructions(step.failAppend);
    else if ('compact' in step) {
      const { keepLast, summary = 'A summary of the conversation so far.' } = step.compact;
      await (await session()).compact({ summary, keepRequests: keepLast });
    } else if ('clear' in step) await (await session()).clear();
    else if ('rewind' in step) await (await session()).rewind(step.rewind);
    else if ('restart' in step) await reopen('closed');
    else if ('fork' in step) await (await session()).fork(await fresh(step.fork));
    else if ('spawn' in step) {
      current = await fresh(step.spawn);
      await session();
    } else {
      const id = await known(step.session);
      if (id === undefined) throw new CommandError(`there is no session "${step.session}"; fork or spawn it first`);
      current = id;
    }
  }

  return { play, close: () => journal.close() };
}

/** Whether the last request has no answer yet: a scripted model answers before a person speaks again. */
async function isUnanswered(journal: Journal, sessionId: SessionId): Promise<boolean> {
  for await (const entry of journal.branch(sessionId)) {
    if (entry.kind === 'request') return true;
    if (entry.kind === 'message' || entry.kind === 'startup' || entry.kind === 'context-cleared') return false;
  }
  return false;
}

interface FaultyJournal extends Journal {
  /** The next `count` appends of instruction records fail. */
  failInstructions(count: number): void;
}

function withFaults(journal: Journal): FaultyJournal {
  let failures = 0;
  return {
    append(sessionId, draft, o) {
      if (draft.kind === 'turn-context' && failures > 0) {
        failures--;
        return Promise.reject(new JournalError('journal_write_failed', 'the scenario lets this append fail'));
      }
      return journal.append(sessionId, draft, o);
    },
    projection: (sessionId) => journal.projection(sessionId),
    branch: (sessionId, o) => journal.branch(sessionId, o),
    fork: (from, at, to) => journal.fork(from, at, to),
    sessions: () => journal.sessions(),
    verify: () => journal.verify(),
    salvage: (from, to) => journal.salvage(from, to),
    close: () => journal.close(),
    failInstructions(count) {
      failures += count;
    },
  };
}
