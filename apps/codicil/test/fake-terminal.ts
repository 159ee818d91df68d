import { run } from '../src/program.ts';
import type { Terminal } from '../src/view/terminal.ts';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in this process; everything that it wrote. */
export async function said(args: readonly string[], o: { readonly color?: boolean } = {}): Promise<Said> {
  let out = '';
  let err = '';
  const terminal: Terminal = {
    color: o.color ?? false,
    out(text) {
      out += text;
    },
    err(text) {
      err += text;
    },
    progress: () => ({ update: () => undefined, done: () => undefined }),
  };
  const code = await run(args, terminal);
  return { code, out, err };
}
