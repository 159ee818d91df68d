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
  const { resolve, relative, sep, isAbsolute } = rules.platform === 'win32' ? win32 : posix;
  if (path.includes('\0') || (rules.platform === 'win32' && /^[A-Za-z]:(?![\\/])/.test(path))) return undefined;
  const target = isAbsolute(path) ? resolve(path) : resolve(root, path);
  const base = resolve(root);
  const inside = rules.ignoreCase ? insideIgnoringCase(base, target, sep) : relative(base, target);
  if (inside === undefined || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined;
  return (sep === '/' ? inside : inside.split(sep).join('/')) as ProjectPath;
}

function insideIgnoringCase(base: string, target: string, sep: string): string | undefined {
  const head = target.slice(0, base.length);
  if (head.toLowerCase() !== base.toLowerCase()) return undefined;
  const rest = target.slice(base.length);
  if (rest === '') return ROOT;
  if (base.endsWith(sep)) return rest;
  return rest.startsWith(sep) ? rest.slice(sep.length) : undefined;
}
