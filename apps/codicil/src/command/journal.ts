import { showHidden } from '@codicil/diagnostics';
import { type Journal, parseSessionId, type SessionId } from '@codicil/journal-records';
import { digestOf, requestsOf } from '@codicil/session';
import { composeFromJournal } from '@codicil/turn-context';
import { CommandError } from '../command-error.ts';
import { openExistingStore, type StoreOptions, storeArguments, storePath } from '../store.ts';
import { commandLine } from '../view/command-line.ts';
import type { Output } from '../view/output.ts';
import { colors } from '../view/styles.ts';
import { count, table } from '../view/words.ts';
import { requestText } from './replay.ts';

export interface JournalOptions extends StoreOptions {
  readonly json?: boolean | undefined;
}

/** Opens the store that is meant; people are told which one that is. */
async function withStore(
  o: JournalOptions,
  output: Output,
  use: (journal: Journal, path: string) => Promise<number>,
): Promise<number> {
  const path = storePath(o);
  const journal = await openExistingStore(path);
  try {
    if (o.json !== true) output.text(`${colors(output.color).dim(`journal ${showHidden(path)}`)}\n`);
    return await use(journal, path);
  } finally {
    await journal.close();
  }
}

/** A command of this program on the same store. */
function onSameStore(o: JournalOptions, ...args: readonly string[]): string {
  return commandLine(['journal', ...args, ...storeArguments(o)]);
}

/** `codicil journal list`: every session, and what was delivered in it. */
export function listJournal(o: JournalOptions, output: Output): Promise<number> {
  return withStore(o, output, async (journal) => {
    const sessions = await Promise.all(
      (await journal.sessions()).map(async (summary) => {
        const requests = await requestsOf(journal, summary.id);
        const last = requests.at(-1);
        return {
          ...summary,
          requests: requests.length,
          delivered: requests.reduce(
            (sum, { delivered }) => sum + delivered.flatMap((record) => record.instructions).length,
            0,
          ),
          lastRequestAt: last === undefined ? null : new Date(last.at).toISOString(),
        };
      }),
    );
    if (o.json === true) output.json(JSON.stringify(sessions, null, 2));
    else if (sessions.length === 0) output.text('The journal holds no session.\n');
    else {
      const rows = sessions.map((session) => [
        session.id,
        String(session.entries),
        String(session.requests),
        String(session.delivered),
        session.lastRequestAt ?? '-',
        session.forkedFrom === null ? '' : `fork of ${session.forkedFrom.sessionId}`,
      ]);
      const head = ['session', 'entries', 'requests', 'delivered', 'last request', ''];
      output.text(`${table(head, rows, ['left', 'right', 'right', 'right', 'left', 'left'])}\n`);
    }
    return 0;
  });
}

/** `codicil journal show SESSION`: its requests and what each brought; with `--request` one of them as sent. */
export function showJournal(
  name: string,
  o: JournalOptions & { readonly request?: number | undefined },
  output: Output,
): Promise<number> {
  return withStore(o, output, async (journal) => {
    const id = await knownSession(journal, name);
    return o.request === undefined
      ? showRequests(journal, id, o, output)
      : showRequest(journal, id, o.request, o, output);
  });
}

async function knownSession(journal: Journal, name: string): Promise<SessionId> {
  const id = parseSessionId(name);
  // Asked for by itself first: another session's damage does not hide it.
  if (id !== undefined && (await journal.projection(id)).leaf !== null) return id;
  const sessions = (await journal.sessions()).map((session) => session.id);
  if (id !== undefined && sessions.includes(id)) return id;
  throw new CommandError(
    `there is no session "${showHidden(name)}"; the journal holds: ${sessions.join(', ') || 'none'}`,
  );
}

async function showRequests(journal: Journal, id: SessionId, o: JournalOptions, output: Output): Promise<number> {
  const requests = await requestsOf(journal, id);
  if (o.json === true) {
    output.json(JSON.stringify(requests, null, 2));
    return 0;
  }
  const c = colors(output.color);
  for (const { number, at, delivered } of requests) {
    output.text(`${c.bold(`request ${number}`)}  ${new Date(at).toISOString()}\n`);
    for (const { instructions, removed } of delivered) {
      for (const { relPath, sha256, supersedes } of instructions) {
        const earlier = supersedes === null ? '' : `, supersedes ${supersedes.slice(0, 12)}`;
        output.text(`  delivered ${showHidden(relPath)}  ${sha256.slice(0, 12)}${earlier}\n`);
      }
      for (const { relPath, successor } of removed) {
        output.text(
          `  withdrawn ${showHidden(relPath)}${successor === null ? '' : `, succeeded by ${showHidden(successor)}`}\n`,
        );
      }
    }
  }
  output.text(
    `${count(requests.length, 'request')}; one as it was sent: ${onSameStore(o, 'show', id, '--request', 'N')}\n`,
  );
  return 0;
}

async function showRequest(
  journal: Journal,
  id: SessionId,
  number: number,
  o: JournalOptions,
  output: Output,
): Promise<number> {
  const requests = await requestsOf(journal, id);
  const found = requests.find((request) => request.number === number);
  if (found === undefined)
    throw new CommandError(`session "${id}" has no request ${number}; it has ${count(requests.length, 'request')}`);
  const composed = await composeFromJournal(journal, id, found.leaf === null ? {} : { from: found.leaf });
  const proved = digestOf(composed) === found.digest;
  if (o.json === true) {
    const messages = composed.messages.map(({ entryId: _, ...message }) => message);
    output.json(JSON.stringify({ request: number, session: id, system: composed.system, messages, proved }));
  } else output.text(requestText(composed.system, composed.messages, output));
  if (!proved) output.err(`what the journal holds now is not what was sent; run \`${onSameStore(o, 'verify')}\`\n`);
  return proved ? 0 : 1;
}

/** `codicil journal verify`: reads the whole store; 1 when acknowledged entries are damaged. A store without a session proves nothing: a misuse. */
export function verifyJournal(o: JournalOptions, output: Output): Promise<number> {
  return withStore(o, output, async (journal, path) => {
    const report = await journal.verify();
    if (report.sessions === 0 && report.problems.length === 0) {
      throw new CommandError(`the journal ${path} holds no session, so there is nothing to verify`);
    }
    const mismatched = report.problems.some(({ kind }) => kind === 'corrupt') ? [] : await mismatchedRequests(journal);
    const whole = mismatched.length === 0 && report.problems.every(({ kind }) => kind === 'torn-tail');
    if (o.json === true) output.json(JSON.stringify({ ...report, mismatchedRequests: mismatched, whole }, null, 2));
    else {
      for (const { sessionId, kind, message } of report.problems) {
        output.text(`${kind}${sessionId === undefined ? '' : ` in session ${sessionId}`}: ${showHidden(message)}\n`);
      }
      for (const { session, request } of mismatched) {
        output.text(`session ${session}: the entries of request ${request} do not give what was sent\n`);
      }
      const damaged = report.problems.find((problem) => problem.kind === 'corrupt' && problem.sessionId !== undefined);
      if (damaged?.sessionId !== undefined) {
        output.text(`what is sound of it, as a new session: ${onSameStore(o, 'salvage', damaged.sessionId, 'NEW')}\n`);
      }
      const c = colors(output.color);
      const size = `${count(report.sessions, 'session')}, ${entries(report.entries)}`;
      output.text(whole ? `${c.green('whole')}: ${size}\n` : `${c.red('damaged')}: ${size}\n`);
    }
    return whole ? 0 : 1;
  });
}

/** `codicil journal salvage SESSION NEW`: what is sound of a damaged session, as a new one. */
export function salvageJournal(from: string, to: string, o: JournalOptions, output: Output): Promise<number> {
  return withStore(o, output, async (journal) => {
    const [source, target] = [from, to].map((name) => {
      const id = parseSessionId(name);
      if (id !== undefined) return id;
      throw new CommandError(`"${showHidden(name)}" is not a name that a session can have`);
    });
    if (source === undefined || target === undefined) throw new Error('two names give two sessions');
    const report = await journal.salvage(source, target);
    if (o.json === true) output.json(JSON.stringify(report, null, 2));
    else {
      for (const message of report.damage) output.text(`damaged: ${showHidden(message)}\n`);
      output.text(`session ${target} holds ${entries(report.kept, 'sound ')}; ${report.left} left behind\n`);
    }
    return 0;
  });
}

function entries(number: number, kind = ''): string {
  return `${number} ${kind}${number === 1 ? 'entry' : 'entries'}`;
}

async function mismatchedRequests(journal: Journal): Promise<readonly { session: SessionId; request: number }[]> {
  const mismatched: { session: SessionId; request: number }[] = [];
  for (const { id } of await journal.sessions()) {
    for (const { number, leaf, digest } of await requestsOf(journal, id)) {
      const composed = await composeFromJournal(journal, id, leaf === null ? {} : { from: leaf });
      if (digestOf(composed) !== digest) mismatched.push({ session: id, request: number });
    }
  }
  return mismatched;
}
