import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';

/** The few things that a journal asks of a disk, so that tests can put one in its place that breaks at will. Failures are thrown as by `node:fs`. */
export interface Disk {
  makeFolder(folder: string): void;
  names(folder: string): readonly string[];
  /** `undefined` when the file is not there. Writes go to its end. */
  open(path: string): number | undefined;
  /** A new file that nothing else is called. */
  create(path: string): number;
  size(file: number): number;
  /** Fills as much of the buffer as there is from the position on; how many bytes. */
  read(file: number, buffer: Buffer, position: number): number;
  /** Appends in one call; how many bytes were taken. */
  write(file: number, bytes: Buffer): number;
  /** The same file once more, for {@link Disk.overwrite} alone: what is opened for appending writes to the end wherever it is told to. */
  openInPlace(path: string): number;
  /** Replaces bytes that are there; how many. */
  overwrite(file: number, bytes: Buffer, position: number): number;
  sync(file: number): void;
  syncLater(file: number): Promise<void>;
  close(file: number): void;
  /** Gives a file its name; `false` when the name is taken. */
  publish(from: string, to: string): boolean;
  remove(path: string): void;
  syncFolder(folder: string): void;
}

const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;

/** This machine's disk. */
export const hostDisk: Disk = {
  makeFolder: (folder) => void mkdirSync(folder, { recursive: true }),
  names: (folder) => readdirSync(folder),
  open: (path) => unlessCode('ENOENT', undefined, () => openSync(path, O_RDWR | O_APPEND)),
  create: (path) => openSync(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0o600),
  size: (file) => fstatSync(file).size,
  read(file, buffer, position) {
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(file, buffer, filled, buffer.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  },
  write: (file, bytes) => writeSync(file, bytes),
  openInPlace: (path) => openSync(path, O_WRONLY),
  overwrite: (file, bytes, position) => writeSync(file, bytes, 0, bytes.length, position),
  sync: fdatasyncSync,
  syncLater: (file) =>
    new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve()))),
  close: closeSync,
  publish: (from, to) =>
    unlessCode('EEXIST', false, () => {
      linkSync(from, to);
      return true;
    }),
  remove: (path) => unlessCode('ENOENT', undefined, () => unlinkSync(path)),
  syncFolder(folder) {
    const file = openSync(folder, O_RDONLY);
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
};

function unlessCode<T>(code: string, otherwise: T, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return otherwise;
    throw error;
  }
}
