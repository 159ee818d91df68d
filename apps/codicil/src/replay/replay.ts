import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Diagnostic } from '@codicil/diagnostics';
import { type Journal, JournalError, parseSessionId, type SessionId } from '@codicil/journal-records';
import { openSession, type Session } from '@codicil/session';
import { CommandError } from '../command-error.ts';
import { openProject } from '../project.ts';
import { openStore, type StoreKind } from '../store.ts';
import { confinedSource } from './confined-source.ts';
import { type ScenarioDisk, scenarioDisk } from './disk.ts';
import type { Scenario, Step, Touch } from './scenario.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { copyTree, layDownTree } from './tree.ts';

/** One provider request exactly as the model would receive it. */
export interface ReplayedRequest {
  readonly request: number;
  readonly session: string;
  readonly system: string;
  readonly messages: readonly object[];
  /** Raised at the boundary before it; not a part of what the model sees. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How much of a step its error shows. */
const MAX_STEP_SHOWN = 200;

/**
 * Plays a scenario in a fresh temporary folder that is removed afterwards. Scenarios are untrusted: whatever the steps are, nothing outside that
 * folder changes, and no text from outside reaches a request. Throws a {@link CommandError} that names the step that cannot be carried out.
 */
export async function* replay(scenario: Scenario, scenarioFolder: string): AsyncGenerator<ReplayedRequest> {
  const home = makeTemporaryFolder('codicil-replay-');
  // The journal lies where no step reaches it: beside the folder that holds the root.
  const root = join(home.path, 'stage', 'root');
  try {
    mkdirSync(join(home.path, 'stage'));
    if (scenario.root !== undefined) copyTree(root, resolve(scenarioFolder, scenario.root));
    else layDownTree(root, scenario.tree ?? []);
    const player = await createPlayer(root, join(home.path, 'journal'), scenario.journal);
    for (const [index, step] of scenario.steps.entries()) {
      try {
        yield* player.play(step);
      } catch (cause) {
        throw new CommandError(`step ${index + 1}, ${shown(step)}: ${(cause as Error).message}`, { cause });
      }
    }
    await player.close();
    const left = player.failuresLeft();
    if (left > 0) throw new CommandError(unusedFailures(scenario.steps, left));
  } finally {
    home.remove();
  }
}

function shown(step: Step): string {
  const text = JSON.stringify(step);
  return text.length <= MAX_STEP_SHOWN ? text : `${text.slice(0, MAX_STEP_SHOWN)}…`;
}

function unusedFailures(steps: readonly Step[], left: number): string {
  const index = steps.findLastIndex((step) => 'failAppend' in step);
  return `step ${index + 1}, ${JSON.stringify(steps[index])}: the scenario ended with ${left} of these failures unused; no later request appended an instruction record`;
}

interface Player {
  play(step: Step): AsyncGenerator<ReplayedRequest>;
  close(): Promise<void>;
  /** Failures of appends that were asked for and did not happen yet. */
  failuresLeft(): number;
}

async function createPlayer(root: string, storePath: string, kind: StoreKind): Promise<Player> {
  const disk = scenarioDisk(root);
  const { resolver } = await openProject(root, confinedSource);
  const store = await openStore(kind, storePath);
  const faults: Faults = { left: 0 };
  let journal = withFaults(await store.open(), faults);
  let current = 'main' as SessionId;
  const opened = new Map<SessionId, Session>();
  let requests = 0;
  let calls = 0;

  async function session(): Promise<Session> {
    let found = opened.get(current);
    if (found === undefined) {
      found = await openSession({ journal, resolver, sessionId: current });
      await found.closeCalls('The session ended before this call had a result.');
      opened.set(current, found);
    }
    return found;
  }

  /** `abandoned` leaves the store as a killed process would: nothing is closed, nothing is said. */
  async function reopen(how: 'closed' | 'abandoned'): Promise<void> {
    if (how === 'closed') await journal.close();
    journal = withFaults(await store.open(), faults);
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
    else if (isDiskStep(step)) changeDisk(disk, step);
    else if ('failAppend' in step) faults.left += step.failAppend;
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

  return { play, close: () => journal.close(), failuresLeft: () => faults.left };
}

type DiskStep = Extract<
  Step,
  { write: unknown } | { remove: unknown } | { rename: unknown } | { symlink: unknown } | { chmod: unknown }
>;

function isDiskStep(step: Step): step is DiskStep {
  return 'write' in step || 'remove' in step || 'rename' in step || 'symlink' in step || 'chmod' in step;
}

function changeDisk(disk: ScenarioDisk, step: DiskStep): void {
  if ('write' in step) disk.write(step.write.path, step.write.text);
  else if ('remove' in step) disk.remove(step.remove.path);
  else if ('rename' in step) disk.rename(step.rename.from, step.rename.to);
  else if ('symlink' in step) disk.symlink(step.symlink.path, step.symlink.target);
  else disk.chmod(step.chmod.path, step.chmod.mode);
}

/** Whether the last request has no answer yet: a scripted model answers before a person speaks again. */
async function isUnanswered(journal: Journal, sessionId: SessionId): Promise<boolean> {
  for await (const entry of journal.branch(sessionId)) {
    if (entry.kind === 'request') return true;
    if (entry.kind === 'message' || entry.kind === 'startup' || entry.kind === 'context-cleared') return false;
  }
  return false;
}

/** Outlives the journal that it acts on: a restart changes nothing about a disk that fails. */
interface Faults {
  /** So many appends of instruction records still fail. */
  left: number;
}

function withFaults(journal: Journal, faults: Faults): Journal {
  return {
    append(sessionId, draft, o) {
      if (draft.kind === 'turn-context' && faults.left > 0) {
        faults.left--;
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
  };
}
