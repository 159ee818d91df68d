import type { Glob } from './parse.ts';
import { createSelector, type Selector } from './selector.ts';

/** Why a glob that matches none of some paths was probably meant for one of them. */
export interface NearMiss {
  readonly path: string;
  readonly reason: /** It would match if letter case did not count. */
    | 'case'
    /** It would match if both were written in the same Unicode normal form. */
    | 'unicode'
    /** A glob without a slash that would match in any folder: other tools put `**` before it. */
    | 'below';
}

/** The first path that the glob is near to and does not match; `undefined` when it is near to none. */
export function nearMiss(glob: Glob, paths: Iterable<string>): NearMiss | undefined {
  const exact = only(glob, false);
  const ignoringCase = only(glob, true);
  const normal = only(glob.normalize('NFC') as Glob, false);
  const below = glob.includes('/') ? undefined : only(`**/${glob}` as Glob, false);
  for (const path of paths) {
    if (matches(exact, path)) continue;
    if (matches(ignoringCase, path)) return { path, reason: 'case' };
    if (matches(normal, path.normalize('NFC'))) return { path, reason: 'unicode' };
    if (below !== undefined && matches(below, path)) return { path, reason: 'below' };
  }
  return undefined;
}

function only(glob: Glob, ignoreCase: boolean): Selector<0> {
  return createSelector([{ id: 0, globs: [glob] }], { ignoreCase });
}

function matches(selector: Selector<0>, path: string): boolean {
  return selector.match(path).length > 0;
}
