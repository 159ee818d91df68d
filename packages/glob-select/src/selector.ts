import type { Glob } from './parse.ts';

export interface SelectorOptions {
  readonly ignoreCase: boolean;
}

export interface GlobMatch<Id> {
  readonly id: Id;
  readonly glob: Glob;
}

/** Many globs at once. Compiled at the first `match`. */
export interface Selector<Id> {
  /** Every (id, glob) that matches the path, in the order of insertion. */
  match(path: string): readonly GlobMatch<Id>[];
}
