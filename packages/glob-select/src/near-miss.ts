import type { Glob } from './parse.ts';
import { matchesGlob } from './selector.ts';

/** Why a glob does not match a path that it was probably meant for. */
export type NearMiss =
  /** It would match if letter case did not count. */
  | 'case'
  /** It would match if both were written in the same Unicode normal form. */
  | 'unicode'
  /** A glob without a slash that would match in any folder: other tools put `**` before it. */
  | 'below';

/** `undefined` when the glob matches, or is not even near. */
export function nearMiss(glob: Glob, path: string): NearMiss | undefined {
  const exact = { ignoreCase: false };
  if (matchesGlob(glob, path, exact)) return undefined;
  if (matchesGlob(glob, path, { ignoreCase: true })) return 'case';
  if (matchesGlob(glob.normalize('NFC') as Glob, path.normalize('NFC'), exact)) return 'unicode';
  if (!glob.includes('/') && matchesGlob(`**/${glob}` as Glob, path, exact)) return 'below';
  return undefined;
}
