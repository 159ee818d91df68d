import { dirname } from 'node:path';
import { showHidden, showHiddenLines } from '@codicil/diagnostics';
import { replay as play } from '../replay/replay.ts';
import { readScenario } from '../replay/scenario.ts';
import type { Output } from '../view/output.ts';
import { colors } from '../view/styles.ts';

/** `codicil replay SCENARIO`: one line a request with `--json`, readable blocks without. */
export async function replay(
  file: string,
  o: { readonly json?: boolean | undefined },
  output: Output,
): Promise<number> {
  const scenario = await readScenario(file);
  const c = colors(output.color);
  for await (const sent of play(scenario, dirname(file))) {
    if (o.json === true) {
      output.json(JSON.stringify(sent));
      continue;
    }
    output.text(`${c.bold(`── request ${sent.request}, session ${sent.session}`)}\n`);
    output.text(requestText(sent.system, sent.messages, output));
    for (const found of sent.diagnostics) {
      output.text(
        `${c.yellow(`${found.severity} ${found.code} ${showHidden(found.path)}: ${showHidden(found.message)}`)}\n`,
      );
    }
    output.text('\n');
  }
  return 0;
}

/** A request as the model receives it, with a line above each part that says what it is. */
export function requestText(system: string, messages: readonly object[], output: Output): string {
  const c = colors(output.color);
  const parts = system === '' ? [] : [`${c.dim('[system]')}\n${showHiddenLines(system)}\n`];
  for (const message of messages as readonly Record<string, unknown>[]) {
    const about = [message['role'], message['kind']].join(' ');
    parts.push(`${c.dim(`[${about}]`)}\n${showHiddenLines(String(message['text']))}\n`);
    const calls = message['toolCalls'] as readonly { name: string; input: unknown }[] | undefined;
    for (const call of calls ?? [])
      parts.push(`${c.dim('[call]')} ${call.name} ${showHiddenLines(JSON.stringify(call.input))}\n`);
  }
  return parts.join('');
}
