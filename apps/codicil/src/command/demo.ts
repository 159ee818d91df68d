import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showHidden } from '@codicil/diagnostics';
import type { SessionId } from '@codicil/journal-records';
import { CommandError } from '../command-error.ts';
import { firstAct, type Play, secondAct } from '../demo/acts.ts';
import { chooseCast } from '../demo/cast.ts';
import { setStage } from '../demo/stage.ts';
import { findRoot, openProject } from '../project.ts';
import { openStore, prepareProjectStore } from '../store.ts';
import { commandLine } from '../view/command-line.ts';
import type { Output } from '../view/output.ts';
import { colors } from '../view/styles.ts';

const ACT = 'CODICIL_DEMO_ACT';

/** `codicil demo`: a session in two processes; the first is killed in the middle. */
export async function demo(o: { readonly root?: string | undefined }, output: Output): Promise<number> {
  const act = process.env[ACT];
  if (act !== undefined) {
    const { number, play }: { readonly number: 1 | 2; readonly play: Play } = JSON.parse(act);
    await (number === 1 ? firstAct(play, output) : secondAct(play, output));
    return 0;
  }
  const root = o.root ?? findRoot(process.cwd());
  const c = colors(output.color);
  const stage = setStage(root);
  try {
    const cast = await chooseCast(await openProject(stage.root));
    if (cast === undefined) throw new CommandError(`${root} has no files to work on`);
    const store = prepareProjectStore(root);
    const sessionId = await freshSession(store);
    output.text(
      `${c.bold('A session over this project')}, in ${stage.how}; no model is called, its answers are scripted.\n\n`,
    );
    const play: Play = { root: stage.root, store, sessionId, cast };
    const first = perform(1, play);
    if (first.signal !== 'SIGKILL')
      throw new CommandError(`the first part ended too early, with ${first.status ?? first.signal}`);
    const second = perform(2, play);
    if (second.status !== 0) throw new CommandError(`the second part ended with ${second.status ?? second.signal}`);
    output.text(`\n${ending(o.root, store, sessionId, cast.first)}`);
    return 0;
  } finally {
    stage.remove();
  }
}

function perform(number: 1 | 2, play: Play): ReturnType<typeof spawnSync> {
  return spawnSync(process.execPath, [fileURLToPath(new URL('main.js', import.meta.url)), 'demo'], {
    env: { ...process.env, [ACT]: JSON.stringify({ number, play }) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function freshSession(store: string): Promise<SessionId> {
  const journal = await (await openStore('sqlite', store)).open();
  const taken = new Set<string>((await journal.sessions()).map(({ id }) => id));
  await journal.close();
  for (let number = 1; ; number++) if (!taken.has(`demo-${number}`)) return `demo-${number}` as SessionId;
}

/** What to type next, for the project that this was about. */
function ending(root: string | undefined, store: string, sessionId: SessionId, file: string): string {
  const about = root === undefined ? [] : ['--root', resolve(root)];
  const next: (readonly [args: readonly string[], what: string])[] = [
    [['journal', 'show', sessionId, ...about], 'what was delivered, request by request'],
    [['journal', 'show', sessionId, '--request', '2', ...about], 'that request as the model received it'],
    [['journal', 'verify', ...about], 'proof that the store is whole'],
    [['explain', ...about, '--', file], 'what a touch of that file brings, and why'],
    [['check', ...about], 'what is wrong in the instruction files'],
  ];
  if (root === undefined) next.push([['demo', '--root', 'DIR'], 'the same for another project']);
  const lines = next.map(([args, what]) => `  ${showHidden(commandLine(args))}\n      ${what}`);
  return `The journal stays in ${showHidden(store)}; Git ignores it. Try next:\n${lines.join('\n')}\n`;
}
