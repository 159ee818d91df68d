import { foldCase } from './fold.ts';
import type { Glob } from './parse.ts';
import { Trie } from './trie.ts';

export interface SelectorOptions {
  /** Whether `A` and `a` are the same name where the files lie. */
  readonly ignoreCase: boolean;
}

export interface GlobMatch<Id> {
  readonly id: Id;
  /** As it was written. */
  readonly glob: Glob;
}

/** Many globs at once. Compiled at the first `match`, or before it in portions. */
export interface Selector<Id> {
  /** Compiles so many globs more; whether all are compiled. For callers that give the event loop a turn in between. */
  compile(count: number): boolean;
  /** Every id with each of its globs that matches the project path, in the order in which they were given. */
  match(path: string): readonly GlobMatch<Id>[];
  /** Elementary steps that all matches so far have taken: for budgets, and for tests that count instead of looking at the clock. */
  readonly steps: number;
}

export function createSelector<Id>(
  items: Iterable<{ readonly id: Id; readonly globs: readonly Glob[] }>,
  o: SelectorOptions,
): Selector<Id> {
  const entries: GlobMatch<Id>[] = [];
  for (const { id, globs } of items) for (const glob of globs) entries.push({ id, glob });
  const trie = new Trie();
  let compiled = 0;

  function compile(count: number): boolean {
    const end = Math.min(entries.length, compiled + count);
    for (; compiled < end; compiled++) {
      const glob = entries[compiled]?.glob ?? '';
      trie.add(o.ignoreCase ? foldCase(glob) : glob, compiled);
    }
    return compiled === entries.length;
  }

  return {
    compile,
    match(path) {
      if (path === '') return [];
      compile(entries.length);
      const matches: GlobMatch<Id>[] = [];
      for (const number of trie.match(o.ignoreCase ? foldCase(path) : path).sort((a, b) => a - b)) {
        const entry = entries[number];
        if (entry !== undefined) matches.push(entry);
      }
      return matches;
    },
    get steps() {
      return trie.steps;
    },
  };
}

/** Whether one glob matches one path. For many paths, or many globs, make a selector. */
export function matchesGlob(glob: Glob, path: string, o: SelectorOptions): boolean {
  return createSelector([{ id: 0, globs: [glob] }], o).match(path).length > 0;
}
