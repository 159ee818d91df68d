import { readFileSync } from 'node:fs';
import type { Diagnostic } from '@codicil/diagnostics';
import { expect, test } from 'vitest';
import { openProject } from '../src/project.ts';
import type { TreeEntry } from '../src/replay/scenario.ts';
import { projectIn } from './lay-down.ts';

interface Wanted {
  readonly path: string;
  /** The code; `null` for any. */
  readonly code?: string | null;
  readonly codePart?: string;
}

interface Case {
  readonly id: string;
  readonly tree: readonly TreeEntry[];
  readonly touch: readonly string[];
  readonly expect: {
    readonly startup: readonly string[];
    readonly delivered: readonly string[];
    readonly refused: readonly Wanted[];
    readonly warned: readonly Wanted[];
    readonly notWarned?: readonly string[];
    readonly content?: Readonly<Record<string, string>>;
  };
}

function isThere(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity'], wanted: Wanted): boolean {
  return diagnostics.some(
    (found) =>
      found.severity === severity &&
      found.path === wanted.path &&
      (wanted.codePart === undefined
        ? wanted.code === null || found.code === wanted.code
        : found.code.includes(wanted.codePart)),
  );
}

for (const file of ['format', 'wild', 'reports', 'more']) {
  const cases: readonly Case[] = JSON.parse(readFileSync(new URL(`cases/${file}.json`, import.meta.url), 'utf8'));
  test.each(cases)(`${file}: $id`, async ({ tree, touch, expect: wanted }) => {
    const { root, remove } = projectIn(tree);
    try {
      const { resolver } = await openProject(root);
      const { startup, delivered, diagnostics } = await resolver.explain(touch);
      expect(startup.map(({ relPath }) => relPath)).toEqual(wanted.startup);
      expect(delivered.map(({ module }) => module.relPath)).toEqual(wanted.delivered);
      for (const one of wanted.refused) expect([one, isThere(diagnostics, 'error', one)]).toEqual([one, true]);
      for (const one of wanted.warned) expect([one, isThere(diagnostics, 'warning', one)]).toEqual([one, true]);
      const warned = diagnostics.filter(({ severity }) => severity === 'warning').map(({ path }) => path);
      for (const path of wanted.notWarned ?? []) expect(warned).not.toContain(path);
      const modules = [...startup, ...delivered.map(({ module }) => module)];
      for (const [path, content] of Object.entries(wanted.content ?? {})) {
        expect(modules.find(({ relPath }) => relPath === path)?.content).toBe(content);
      }
      // What explain says is what the two calls of a session give.
      expect((await resolver.startup()).modules).toEqual(startup);
      expect((await resolver.forPaths(touch)).modules).toEqual(delivered.map(({ module }) => module));
    } finally {
      remove();
    }
  });
}
