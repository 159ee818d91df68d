import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TreeEntry } from '../src/replay/scenario.ts';
import { layDownTree } from '../src/replay/tree.ts';

/** A folder that holds a project, with the two files beside it that nothing but a root file may bring in. */
export function projectIn(tree: readonly TreeEntry[]): { readonly root: string; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), 'codicil-test-'));
  mkdirSync(join(home, 'outside-dir'));
  writeFileSync(join(home, 'outside.md'), 'outside\n');
  writeFileSync(join(home, 'outside-dir', 'secret.md'), 'secret\n');
  const root = join(home, 'root');
  layDownTree(root, tree);
  return { root, remove: () => rmSync(home, { recursive: true, force: true }) };
}
