import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { CommandError } from '../command-error.ts';

/** More links than this on the way to one place are taken for a loop. */
const MAX_LINKS = 40;

/** Whether a link at the end of a path stands for itself or for what it points at. */
export type LastLink = 'itself' | 'followed';

/** Places below the folder that holds a root: at or below the root, or beside it. */
export interface Confinement {
  /** The root, without a link on the way to it. */
  readonly root: string;
  /**
   * The native path of a path in a scenario, with every link on the way resolved, so that whoever uses it at once follows none. Throws a
   * {@link CommandError} when it lies elsewhere, by its spelling or through a link, whether or not anything is there.
   */
  place(path: string, last: LastLink): string;
}

export function confinedBeside(root: string): Confinement {
  const top = realpathSync(dirname(resolve(root)));
  const home = join(top, relative(dirname(resolve(root)), resolve(root)));

  function isBelowTop(path: string): boolean {
    return path.startsWith(top.endsWith(sep) ? top : `${top}${sep}`);
  }

  function place(path: string, last: LastLink): string {
    const named = resolve(home, path);
    if (!isBelowTop(named)) throw new CommandError(`${path} lies neither below the root nor beside it`);
    const waiting = relative(top, named).split(sep).reverse();
    let at = top;
    let links = 0;
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const next = resolve(at, name);
      if (next !== top && !isBelowTop(next)) throw leadsOut(path);
      const isLast = waiting.length === 0;
      if (name === '..' || (isLast && last === 'itself') || !isLink(next)) {
        at = next;
        continue;
      }
      if (++links > MAX_LINKS) throw new CommandError(`${path} leads through too many links`);
      const target = readlinkSync(next);
      if (target.startsWith('/')) throw leadsOut(path);
      waiting.push(
        ...target
          .split(sep)
          .filter((segment) => segment !== '' && segment !== '.')
          .reverse(),
      );
    }
    if (at === top) throw leadsOut(path);
    return at;
  }

  return { root: home, place };
}

function leadsOut(path: string): CommandError {
  return new CommandError(`${path} leads through a link to a place that is neither below the root nor beside it`);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
