import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseInstructions } from '@codicil/activation';
import { layTree } from '@codicil/arbitraries/lay-tree';
import { anyTouches, anyTree } from '@codicil/arbitraries/trees';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codicil } from './command.ts';

interface Told {
  readonly code: string;
  readonly path: string;
  readonly severity: string;
  readonly range?: object;
}

interface Identity {
  readonly relPath: string;
  readonly sha256: string;
}

const identities = (modules: readonly Identity[]): readonly Identity[] =>
  modules.map(({ relPath, sha256 }) => ({ relPath, sha256 }));
const keyOf = ({ code, severity, path, range }: Told): string => `${severity} ${code} ${path} ${JSON.stringify(range)}`;

/** Each run starts three processes. */
const RUNS = Math.max(6, Math.floor(Number(process.env['CODICIL_RUNS'] ?? 100) / 15));

test('explain, check and replay never disagree on a tree', async () => {
  const treeAndTouches = anyTree({ pipes: false })
    // A copy of the tree is replayed, and an absolute link would lead out of it.
    .map((tree) => tree.filter((entry) => !('absolute' in entry && entry.absolute === true)))
    .chain((tree) => fc.tuple(fc.constant(tree), anyTouches(tree)));
  await fc.assert(
    fc.asyncProperty(treeAndTouches, async ([tree, touches]) => {
      const home = mkdtempSync(join(tmpdir(), 'codicil-agree-'));
      const root = join(home, 'project');
      try {
        layTree(root, tree);
        const paths = touches.length === 0 ? ['x.ts'] : touches;
        const explained = JSON.parse(codicil(['explain', '--root', root, '--json', '--', ...paths]).stdout);
        const checked = codicil(['check', '--root', root, '--format', 'json']);
        const scenario = join(home, 'scenario.json');
        const touch = paths.map((path) => ({ op: 'read', path }));
        writeFileSync(scenario, JSON.stringify({ root, journal: 'jsonl', steps: [{ prompt: 'go' }, { touch }] }));
        const replayed = codicil(['replay', scenario, '--json'])
          .stdout.trim()
          .split('\n')
          .map((line) => JSON.parse(line));

        const inRequest = replayed[1].messages.flatMap(
          (message: { instructions?: Identity[] }) => message.instructions ?? [],
        );
        expect(identities(inRequest)).toEqual(identities(explained.delivered));
        const startup: readonly Identity[] = explained.startup;
        const atStart = parseInstructions(replayed[0].system).map(({ relPath }) => relPath);
        expect(atStart).toEqual(startup.map(({ relPath }) => relPath));

        const diagnostics: readonly Told[] = JSON.parse(checked.stdout);
        const known = new Set(diagnostics.map(keyOf));
        const fails = diagnostics.some(
          ({ severity, code }) => severity === 'error' || /^glob_(braces|negation)$/.test(code),
        );
        for (const found of explained.diagnostics as Told[]) expect(known).toContain(keyOf(found));
        const refused = new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ path }) => path));
        for (const { relPath } of [...startup, ...explained.delivered]) expect(refused).not.toContain(relPath);
        for (const { relPath, reason } of explained.notApplied)
          if (reason === 'refused') expect(refused).toContain(relPath);
        expect(checked.status).toBe(fails ? 1 : 0);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }),
    { numRuns: RUNS },
  );
}, 300_000);
