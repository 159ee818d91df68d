import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { showHidden } from '@codicil/diagnostics';
import type { SessionId } from '@codicil/journal-records';
import { openSession, type SentRequest, type Session } from '@codicil/session';
import { openProject, type Project } from '../project.ts';
import { openStore } from '../store.ts';
import type { Output } from '../view/output.ts';
import { colors } from '../view/styles.ts';
import { loadTokenCounter, type TokenCounter } from '../view/tokens.ts';
import { count } from '../view/words.ts';
import type { Cast } from './cast.ts';

/** What the two processes of the demonstration share. */
export interface Play {
  readonly root: string;
  readonly store: string;
  readonly sessionId: SessionId;
  readonly cast: Cast;
}

interface Actor {
  readonly session: Session;
  say(line: string): void;
  request(): Promise<void>;
  read(path: string): Promise<void>;
  edit(path: string, line: string): Promise<void>;
}

/** The first process: it is killed after a tool result was recorded and before the request that would deliver what it calls for. */
export async function firstAct(play: Play, output: Output): Promise<never> {
  const actor = await enter(play, output);
  const { diagnostics } = await actor.session.start();
  for (const found of diagnostics) actor.say(`${found.severity} ${found.code} ${showHidden(found.path)}`);
  await actor.session.prompt(`Look at ${play.cast.first} and improve it.`);
  actor.say(`user: Look at ${showHidden(play.cast.first)} and improve it.`);
  await actor.request();
  await actor.read(play.cast.first);
  await actor.request();
  await actor.edit(play.cast.first, '// A line that the scripted model added.');
  await actor.request();
  await actor.read(play.cast.second);
  actor.say('… and here the process is killed, before the next request could deliver what that read calls for.');
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
}

/** The second process: it knows nothing but the journal. */
export async function secondAct(play: Play, output: Output): Promise<void> {
  const actor = await enter(play, output);
  const { pendingTouches } = await actor.session.projection();
  actor.say(
    `a new process opens the journal; touches that wait there: ${pendingTouches.map(showHidden).join(', ') || 'none'}`,
  );
  await actor.request();
  await actor.session.compact({
    summary: 'The first file was read and edited; the second one was read.',
    keepRequests: 1,
  });
  actor.say('the conversation is compacted: only the last request is kept, the rest becomes a summary');
  await actor.read(play.cast.first);
  await actor.request();
  if (play.cast.rule !== undefined) {
    await actor.edit(play.cast.rule, '\n- A line that the scripted model added.');
    await actor.request();
    await actor.read(play.cast.first);
    await actor.request();
  }
  await actor.session.answer({ text: 'Done.', toolCalls: [] });
  actor.say('assistant: Done.');
}

async function enter(play: Play, output: Output): Promise<Actor> {
  const project = await openProject(play.root);
  const journal = await (await openStore('sqlite', play.store)).open();
  const session = await openSession({ journal, resolver: project.resolver, sessionId: play.sessionId });
  await session.closeCalls('The session ended before this call had a result.');
  const tokens = await loadTokenCounter();
  const c = colors(output.color);
  const say = (line: string): void => output.text(`${line}\n`);
  let touched: string[] = [];
  let calls = (await session.projection()).depth;

  async function tool(name: string, path: string, work: () => string): Promise<void> {
    const id = `call-${++calls}`;
    await session.answer({ text: '', toolCalls: [{ id, name, input: { path } }] });
    const text = work();
    await session.toolResult({ toolCallId: id, text, isError: false, details: { fileAccess: { path } } });
    touched.push(path);
    say(`assistant: ${name} ${showHidden(path)}`);
  }

  return {
    session,
    say,
    async request() {
      const sent = await session.request();
      say(c.bold(`request ${sent.number}`) + c.dim(`  ${summary(sent, tokens)}`));
      if (sent.number === 1)
        for (const [relPath] of (await session.projection()).startup) say(`  at startup: ${showHidden(relPath)}`);
      for (const line of await deliveryLines(sent, touched, project, tokens)) say(`  ${line}`);
      touched = [];
    },
    read: (path) => tool('read', path, () => readFileSync(join(play.root, path), 'utf8')),
    edit: (path, line) =>
      tool('edit', path, () => {
        appendFileSync(join(play.root, path), `${line}\n`);
        return `added a line to ${path}`;
      }),
  };
}

function summary({ request }: SentRequest, tokens: TokenCounter): string {
  const total = tokens(request.system) + request.messages.reduce((sum, { text }) => sum + tokens(text), 0);
  return `${count(request.messages.length, 'message')}, about ${count(total, 'token')}`;
}

async function deliveryLines(
  sent: SentRequest,
  touched: readonly string[],
  project: Project,
  tokens: TokenCounter,
): Promise<readonly string[]> {
  const { delivery } = sent;
  const lines = delivery.diagnostics.map((found) => `${found.severity} ${found.code} ${showHidden(found.path)}`);
  if (delivery.kind !== 'appended') return [...lines, 'nothing new to deliver'];
  const { entry } = delivery;
  if (entry.kind !== 'turn-context' || entry.context !== 'instructions') return lines;
  const { pendingTouches } = delivery.projection;
  const { delivered } = await project.resolver.explain([...new Set([...touched, ...pendingTouches])]);
  for (const { relPath, supersedes } of entry.details.instructions) {
    const found = delivered.find(({ module }) => module.relPath === relPath);
    const match = found?.matched[0];
    const why =
      match === undefined
        ? ''
        : match.glob === undefined
          ? `${match.path} lies below its folder`
          : `${match.path} matches ${match.glob}`;
    const size = found === undefined ? '' : `, about ${count(tokens(found.module.content), 'token')}`;
    lines.push(
      `delivered ${showHidden(relPath)}${supersedes === null ? '' : ', superseding the earlier version'}${size}: ${showHidden(why)}`,
    );
  }
  for (const { relPath } of entry.details.removed) lines.push(`withdrawn ${showHidden(relPath)}`);
  return lines;
}
