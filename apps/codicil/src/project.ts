import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileSource } from '@codicil/file-source';
import { createHostSource } from '@codicil/file-source-host';
import {
  createInstructionResolver,
  defaultLayout,
  type InventoryResolver,
  type Layout,
} from '@codicil/instruction-modules';
import { CommandError } from './command-error.ts';

export interface Project {
  readonly root: string;
  readonly source: FileSource;
  readonly resolver: InventoryResolver;
  readonly layout: Layout;
}

/** Opens the project at a root; `wrap` may put a source of its own around the disk's. Throws a {@link CommandError} where there is no folder. */
export async function openProject(
  root: string,
  wrap: (source: FileSource) => FileSource = (source) => source,
): Promise<Project> {
  let source: FileSource;
  try {
    source = wrap(await createHostSource(root));
  } catch (cause) {
    throw new CommandError(`${root} cannot be used as a project: ${(cause as Error).message}`, { cause });
  }
  return { root, source, resolver: createInstructionResolver(source), layout: defaultLayout };
}

/** The nearest folder at or above `from` that holds a `.git`; `from` itself when none does. */
export function findRoot(from: string): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return resolve(from);
  }
}
