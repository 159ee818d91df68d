import { readFileSync } from 'node:fs';
import type { Diagnostic } from '@codicil/diagnostics';
import { expect, test } from 'vitest';
import { run } from '../src/program.ts';
import type { TreeEntry } from '../src/replay/scenario.ts';
import { projectIn } from './lay-down.ts';

interface Case {
  readonly id: string;
  readonly tree: readonly TreeEntry[];
  /** Everything that is said, code and path. */
  readonly found: readonly (readonly [string, string])[];
  readonly fails: boolean;
}

const cases: readonly Case[] = JSON.parse(readFileSync(new URL('cases/check.json', import.meta.url), 'utf8'));

test.each(cases)('check: $id', async ({ tree, found, fails }) => {
  const { root, remove } = projectIn(tree);
  try {
    let out = '';
    const code = await run(['check', '--root', root, '--format', 'json'], {
      color: false,
      out(text) {
        out += text;
      },
      err: (text) => expect(text).toBe(''),
      progress: () => ({ update: () => undefined, done: () => undefined }),
    });
    const said: readonly Diagnostic[] = JSON.parse(out);
    const told = said.map((one) => `${one.path} ${one.code}`).sort();
    expect([told, code]).toEqual([found.map(([wanted, path]) => `${path} ${wanted}`).sort(), fails ? 1 : 0]);
  } finally {
    remove();
  }
});
