import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTree } from '../replay/tree.ts';

/** A copy of a project that may be edited. */
export interface Stage {
  readonly root: string;
  /** How it was made, for people. */
  readonly how: string;
  remove(): void;
}

/** A temporary worktree of the last commit; a plain copy where Git cannot make one. */
export function setStage(root: string): Stage {
  const home = mkdtempSync(join(tmpdir(), 'codicil-demo-'));
  const tree = join(home, 'project');
  const git = (...args: string[]): boolean => spawnSync('git', ['-C', root, ...args], { stdio: 'ignore' }).status === 0;
  if (git('worktree', 'add', '--detach', tree, 'HEAD')) {
    return {
      root: tree,
      how: 'a temporary Git worktree of the last commit',
      remove() {
        git('worktree', 'remove', '--force', tree);
        rmSync(home, { recursive: true, force: true });
        git('worktree', 'prune');
      },
    };
  }
  copyTree(tree, root);
  return { root: tree, how: 'a temporary copy', remove: () => rmSync(home, { recursive: true, force: true }) };
}
