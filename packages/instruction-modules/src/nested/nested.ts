import type { Diagnostic } from '@codicil/diagnostics';
import type { FirstRead, ReadOptions } from '@codicil/file-source';
import { joinPath, type ProjectPath } from '@codicil/project-path';
import type { InstructionModule } from '../contract.ts';
import { compareFolders } from '../layout/order.ts';
import type { Call } from '../resolve/call.ts';
import { type Border, findBorders } from './borders.ts';
import { readPlainModule } from './plain-module.ts';

/** What the candidate names of one folder gave. */
export type FolderFinding = {
  readonly folder: ProjectPath;
  readonly diagnostics: readonly Diagnostic[];
} & (
  | { readonly kind: 'nothing' }
  | { readonly kind: 'module'; readonly relPath: ProjectPath; readonly module: InstructionModule }
  | { readonly kind: 'refused' | 'unavailable'; readonly relPath: ProjectPath }
  /** Found, and another project's. */
  | { readonly kind: 'behind-border'; readonly relPath: ProjectPath }
);

/** The nested file of each folder, shallow to deep. The folders are open ones. */
export async function findNested(call: Call, folders: readonly ProjectPath[]): Promise<readonly FolderFinding[]> {
  const { source, layout, places, signal } = call;
  const sorted = [...folders].sort(compareFolders);
  const options: ReadOptions = { maxBytes: layout.maxFileBytes, links: 'inside', signal };
  const reads = await Promise.all(sorted.map((folder) => source.readFirst(folder, places.candidateNames, options)));
  const borders = await bordersOf(call, sorted, reads);
  return sorted.flatMap((folder, index) => {
    const read = reads[index];
    return read === undefined ? [] : [findingOf(folder, read, borders.get(folder))];
  });
}

/** What the candidate names of the root folder gave. The root file alone may be a link to anywhere. */
export async function findRoot({ source, layout, places, signal }: Call, root: ProjectPath): Promise<FolderFinding> {
  const options: ReadOptions = { maxBytes: layout.maxFileBytes, links: 'anywhere', signal };
  return findingOf(root, await source.readFirst(root, places.candidateNames, options), undefined);
}

async function bordersOf(
  { source, layout, signal }: Call,
  folders: readonly ProjectPath[],
  reads: readonly FirstRead[],
): Promise<ReadonlyMap<ProjectPath, Border>> {
  if (layout.nestedRepositories === 'cross') return new Map();
  const found = folders.filter((_, index) => {
    const read = reads[index];
    return read !== undefined && (read.name !== undefined || read.passedOver.length > 0);
  });
  return findBorders(source, found, signal);
}

function findingOf(folder: ProjectPath, read: FirstRead, border: Border | undefined): FolderFinding {
  const { name, outcome, passedOver } = read;
  if (name === undefined) return { kind: 'nothing', folder, diagnostics: border === undefined ? passedOver : [] };
  const relPath = joinPath(folder, name);
  if (border?.kind === 'unavailable') return { kind: 'unavailable', folder, relPath, diagnostics: [border.diagnostic] };
  if (border !== undefined) return { kind: 'behind-border', folder, relPath, diagnostics: [border.diagnostic] };
  switch (outcome.kind) {
    case 'absent':
      return { kind: 'nothing', folder, diagnostics: passedOver };
    case 'refused':
    case 'unavailable':
      return { kind: outcome.kind, folder, relPath, diagnostics: [...passedOver, outcome.diagnostic] };
    case 'file': {
      const read = readPlainModule(relPath, outcome.bytes, folder === '' ? 'root' : 'nested');
      const diagnostics = passedOver.length === 0 ? read.diagnostics : [...passedOver, ...read.diagnostics];
      if (read.kind === 'refused') return { kind: 'refused', folder, relPath, diagnostics };
      return { kind: 'module', folder, relPath, module: read.module, diagnostics };
    }
  }
}
