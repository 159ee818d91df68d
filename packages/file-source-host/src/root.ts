import type { Stats } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import type { ProjectPath } from '@codicil/project-path';
import { type Disk, systemCode } from './disk.ts';

/** The root cannot be opened. `code` is stable; `cause` is what the system said, if it said something. */
export class HostSourceError extends Error {
  readonly code: 'root_not_found' | 'root_not_a_directory' | 'root_unreadable';

  constructor(code: HostSourceError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HostSourceError';
    this.code = code;
  }
}

/** The folder that a source is confined to, known by its identity and not by its name alone. */
export class Root {
  /** As it was given, made absolute. */
  readonly spelling: string;
  /** The real path. */
  readonly real: string;
  readonly ignoresCase: boolean;
  readonly #disk: Disk;
  readonly #dev: number;
  readonly #ino: number;
  readonly #prefix: string;
  readonly #stampsMaps: boolean;

  /** Throws a {@link HostSourceError} when there is no such folder. */
  constructor(path: string, disk: Disk) {
    this.spelling = resolve(path);
    let stat: Stats | undefined;
    try {
      this.real = disk.realpath(this.spelling);
      stat = disk.lstat(this.real);
    } catch (cause) {
      const code = systemCode(cause);
      const gone = code === 'ENOENT' || code === 'ENOTDIR';
      throw new HostSourceError(
        gone ? 'root_not_found' : 'root_unreadable',
        gone ? `There is no folder ${this.spelling}.` : `The folder ${this.spelling} cannot be reached: ${code}.`,
        { cause },
      );
    }
    if (stat === undefined) throw new HostSourceError('root_not_found', `There is no folder ${this.spelling}.`);
    if (!stat.isDirectory()) {
      throw new HostSourceError('root_not_a_directory', `${this.spelling} is no folder; give the project's root.`);
    }
    this.#disk = disk;
    this.#dev = stat.dev;
    this.#ino = stat.ino;
    this.#prefix = this.real.endsWith(sep) ? this.real : this.real + sep;
    this.ignoresCase = ignoresCase(this.real, disk);
    this.#stampsMaps = stampsMaps(this.real, disk);
  }

  /** Whether the same folder still stands at its real place. */
  stands(): boolean {
    try {
      return this.is(this.#disk.lstat(this.real));
    } catch (error) {
      systemCode(error);
      return false;
    }
  }

  /** Whether these are the figures of this very folder. */
  is(stat: Stats | undefined): boolean {
    return stat?.ino === this.#ino && stat.dev === this.#dev && stat.isDirectory();
  }

  /** Whether a file lies on a file system that is known to stamp it when it is written to through a memory map. */
  stampsMaps(file: Stats): boolean {
    return this.#stampsMaps && file.dev === this.#dev;
  }

  native(path: ProjectPath): string {
    if (path === '') return this.real;
    return this.#prefix + (sep === '/' ? path : path.replaceAll('/', sep));
  }

  /** The path below the root of an absolute path, as it is spelled; `undefined` when its spelling does not begin with the root. */
  below(path: string): string | undefined {
    if (path === this.real) return '';
    return path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) : undefined;
  }

  /** The project path of a real path; `undefined` outside the root. */
  project(real: string): ProjectPath | undefined {
    const below = this.below(real);
    if (below === undefined) return undefined;
    return (sep === '/' ? below : below.replaceAll(sep, '/')) as ProjectPath;
  }

  /** Whether two spellings name the same place here. */
  same(left: string, right: string): boolean {
    return left === right || (this.ignoresCase && left.toLowerCase() === right.toLowerCase());
  }
}

function stampsMaps(real: string, disk: Disk): boolean {
  try {
    return disk.stampsMaps(real);
  } catch (error) {
    systemCode(error);
    return false;
  }
}

/**
 * Asks for the nearest folder on the way to the root under a name with its letters flipped. A folder has one name alone, so the same identity under
 * both is a proof.
 */
function ignoresCase(real: string, disk: Disk): boolean {
  for (let folder = real; folder !== dirname(folder); folder = dirname(folder)) {
    const { base } = parse(folder);
    const flipped = flipCase(base);
    if (flipped === base) continue;
    try {
      const stat = disk.lstat(folder);
      const other = disk.lstat(join(dirname(folder), flipped));
      return stat !== undefined && other !== undefined && stat.ino === other.ino && stat.dev === other.dev;
    } catch (error) {
      systemCode(error);
      return false;
    }
  }
  return process.platform === 'win32';
}

function flipCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}
