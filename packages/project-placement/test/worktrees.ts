import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type HostProject,
  hostGitFiles,
  type Placement,
  type PlacementQuestion,
  type Project,
  placeSession,
} from '@codicil/project-placement';

/** A fresh folder, known by its real path, which goes away with the test. */
export class Place implements Disposable {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), 'placement-')));

  at(...names: string[]): string {
    return join(this.root, ...names);
  }

  folder(...names: string[]): string {
    mkdirSync(this.at(...names), { recursive: true });
    return this.at(...names);
  }

  write(name: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
  }

  /** A repository with one commit. */
  repository(...names: string[]): string {
    const folder = this.folder(...names);
    git(folder, 'init', '--quiet');
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'first');
    return folder;
  }

  worktree(repository: string, ...names: string[]): string {
    git(repository, 'worktree', 'add', '--quiet', '--detach', this.at(...names));
    return this.at(...names);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }
}

/** Runs Git with none of this machine's settings. */
export function git(folder: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...identity, ...args], {
    cwd: folder,
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
}

export function host(id: string, root: string): HostProject {
  return { kind: 'host', id, root };
}

/** A session without a binding, whose policy admits everything, on this machine; and what else the test says. */
export function place(projects: readonly Project[], facts: Partial<PlacementQuestion>): Promise<Placement> {
  return placeSession({
    boundProjectId: null,
    cwd: undefined,
    projects,
    canAccess: () => true,
    files: hostGitFiles(),
    ...facts,
  });
}

/** What a placement says, in a line. */
export async function told(placement: Promise<Placement>): Promise<string> {
  const answer = await placement;
  if (answer.kind === 'none') return answer.reason;
  return `${answer.project.id}${answer.worktree ? ' worktree' : ''} ${answer.root}`;
}
