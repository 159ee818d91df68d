import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  /** Its real place. */
  readonly path: string;
  /** Removes it with everything in it, folders that a scenario closed included. Links are removed, never followed. */
  remove(): void;
}

export function makeTemporaryFolder(prefix: string): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  return {
    path,
    remove() {
      openFolders(path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
  }
}
