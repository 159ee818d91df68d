import { posix, win32 } from 'node:path';
import { type ProjectPath, ROOT } from './project-path.ts';

/** How the place where the files lie spells its paths. */
export interface PathRules {
  readonly platform: 'posix' | 'win32';
  /** Whether the root's volume takes `A` and `a` for the same name. */
  readonly ignoreCase: boolean;
}

/**
 * The project path of a native path, relative to the root or absolute, by its spelling alone: `.` and `..` are resolved
 * lexically and no disk is asked. `undefined` when it lies outside the root.
 */
export function within(root: string, path: string, rules: PathRules): ProjectPath | undefined {
  const { resolve, sep } = rules.platform === 'win32' ? win32 : posix;
  // `C:foo` is relative to the current folder of that drive, which a spelling does not tell.
  if (path.includes('\0') || (rules.platform === 'win32' && /^[A-Za-z]:(?![\\/])/.test(path))) return undefined;
  const base = resolve(root);
  // Resolving from the root also gives `\foo` the root's own drive, whatever machine this is.
  const inside = restInside(base, resolve(base, path), sep, rules);
  // Below a drive no name holds a colon: `a.md:b` is a hidden stream of a file, `C:` would be taken for a drive again.
  if (rules.platform === 'win32' && inside?.includes(':')) return undefined;
  return inside === undefined ? undefined : ((sep === '/' ? inside : inside.split(sep).join('/')) as ProjectPath);
}

/** What follows the root in the spelling of the target; `''` for the root itself. Both are resolved. */
function restInside(base: string, target: string, sep: string, rules: PathRules): string | undefined {
  if (!isSame(target.slice(0, base.length), base, rules)) return undefined;
  const rest = target.slice(base.length);
  if (rest === '') return ROOT;
  if (base.endsWith(sep)) return rest;
  return rest.startsWith(sep) ? rest.slice(sep.length) : undefined;
}

function isSame(left: string, right: string, { platform, ignoreCase }: PathRules): boolean {
  if (ignoreCase) return left.toLowerCase() === right.toLowerCase();
  // A drive has no case, even where its files do.
  return left === right || (platform === 'win32' && withoutDriveCase(left) === withoutDriveCase(right));
}

function withoutDriveCase(path: string): string {
  return path.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}
