import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CommandError } from '../command-error.ts';
import { confinedBeside } from './confined.ts';

/** What a scenario may do to the disk: nothing of it reaches beyond the folder that holds the root. Paths are those of the scenario. */
export interface ScenarioDisk {
  write(path: string, content: string | Buffer): void;
  makeFolder(path: string): void;
  makePipe(path: string): void;
  remove(path: string): void;
  rename(from: string, to: string): void;
  symlink(path: string, target: string): void;
  /** `mode` in octal digits. */
  chmod(path: string, mode: string): void;
}

/** The disk at a root. Its calls throw a `CommandError`, or the system's error, and then nothing has changed. */
export function scenarioDisk(root: string): ScenarioDisk {
  const confined = confinedBeside(root);

  /** Where an entry is made: folders that are missing above it are made too. */
  function newPlace(path: string, last: 'itself' | 'followed'): string {
    const place = confined.place(path, last);
    if (place !== confined.root) mkdirSync(dirname(place), { recursive: true });
    return place;
  }

  return {
    write(path, content) {
      const place = confined.place(path, 'followed');
      const there = lstatSync(place, { throwIfNoEntry: false });
      // A pipe would wait for a reader that never comes.
      if (there !== undefined && !there.isFile()) throw new CommandError(`${path} is there and is not a regular file`);
      mkdirSync(dirname(place), { recursive: true });
      const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
      const file = openSync(place, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666);
      try {
        writeFileSync(file, content);
      } finally {
        closeSync(file);
      }
    },
    makeFolder: (path) => void mkdirSync(confined.place(path, 'followed'), { recursive: true }),
    makePipe(path) {
      const { status, error } = spawnSync('mkfifo', [newPlace(path, 'itself')]);
      if (error !== undefined || status !== 0) throw new CommandError(`a FIFO cannot be made at ${path}`);
    },
    remove: (path) => rmSync(confined.place(path, 'itself'), { recursive: true }),
    rename(from, to) {
      const source = confined.place(from, 'itself');
      if (confined.place(to, 'itself') === confined.root && lstatSync(source).isSymbolicLink()) throw rootLink();
      renameSync(source, newPlace(to, 'itself'));
    },
    symlink(path, target) {
      if (confined.place(path, 'itself') === confined.root) throw rootLink();
      symlinkSync(target, newPlace(path, 'itself'));
    },
    chmod: (path, mode) => chmodSync(confined.place(path, 'followed'), Number.parseInt(mode, 8)),
  };
}

function rootLink(): CommandError {
  return new CommandError('the root itself cannot become a link');
}
