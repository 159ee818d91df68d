import { createMemorySource, type MemoryOptions, type MemorySource, type TreeSpec } from '@codicil/file-source';
import {
  createInstructionResolver,
  type Explanation,
  type InstructionResolver,
  type Layout,
  type Resolution,
} from '@codicil/instruction-modules';

export interface Project {
  readonly source: MemorySource;
  readonly resolver: InstructionResolver;
}

/** A resolver over a tree in memory. */
export function projectOf(
  tree: TreeSpec,
  o: { readonly memory?: MemoryOptions; readonly layout?: Layout; readonly cache?: boolean } = {},
): Project {
  const source = createMemorySource(tree, o.memory);
  return { source, resolver: createInstructionResolver(source, { layout: o.layout, cache: o.cache }) };
}

/** A tree of text files. */
export function files(texts: Readonly<Record<string, string>>): TreeSpec {
  return Object.entries(texts).map(([path, text]) => ({ path, text }));
}

/** A rule with the given globs. */
export function rule(globs: readonly string[], body = 'body\n'): string {
  return `---\npaths:\n${globs.map((glob) => `  - ${JSON.stringify(glob)}\n`).join('')}---\n${body}`;
}

export function pathsOf({ modules }: Resolution): readonly string[] {
  return modules.map((module) => module.relPath);
}

/** Each diagnostic as `code path`. */
export function told({ diagnostics }: Pick<Resolution, 'diagnostics'>): readonly string[] {
  return diagnostics.map(({ code, path }) => `${code} ${path}`);
}

export function reasonsOf({ notApplied }: Explanation): Readonly<Record<string, string>> {
  return Object.fromEntries(notApplied.map(({ relPath, reason }) => [relPath, reason]));
}
