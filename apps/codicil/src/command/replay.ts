import { dirname } from 'node:path';
import { replay as play } from '../replay/replay.ts';
import { readScenario } from '../replay/scenario.ts';
import { colors } from '../view/styles.ts';
import { type Terminal, visible } from '../view/terminal.ts';

/** `codicil replay SCENARIO`: one line a request with `--json`, readable blocks without. */
export async function replay(
  file: string,
  o: { readonly json?: boolean | undefined },
  terminal: Terminal,
): Promise<number> {
  const scenario = await readScenario(file);
  const c = colors(terminal.color);
  for await (const sent of play(scenario, dirname(file))) {
    if (o.json === true) {
      terminal.out(`${JSON.stringify(sent)}\n`);
      continue;
    }
    terminal.out(`${c.bold(`── request ${sent.request}, session ${sent.session}`)}\n`);
    terminal.out(requestText(sent.system, sent.messages, terminal));
    for (const found of sent.diagnostics) {
      terminal.out(
        `${c.yellow(`${found.severity} ${found.code} ${visible(found.path)}: ${visible(found.message)}`)}\n`,
      );
    }
    terminal.out('\n');
  }
  return 0;
}

/** A request as the model receives it, with a line above each part that says what it is. */
export function requestText(system: string, messages: readonly object[], terminal: Terminal): string {
  const c = colors(terminal.color);
  const parts = system === '' ? [] : [`${c.dim('[system]')}\n${printable(system)}\n`];
  for (const message of messages as readonly Record<string, unknown>[]) {
    const about = [message['role'], message['kind']].join(' ');
    parts.push(`${c.dim(`[${about}]`)}\n${printable(String(message['text']))}\n`);
    const calls = message['toolCalls'] as readonly { name: string; input: unknown }[] | undefined;
    for (const call of calls ?? [])
      parts.push(`${c.dim('[call]')} ${call.name} ${printable(JSON.stringify(call.input))}\n`);
  }
  return parts.join('');
}

/** Line ends and tabs stay; every other control character is made visible, so that text from a repository cannot steer the terminal. */
function printable(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : visible(part)))
    .join('');
}
