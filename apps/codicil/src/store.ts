import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, readSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createMemoryJournal, createMemoryStore, type Journal } from '@codicil/journal-records';
import { CommandError } from './command-error.ts';
import { findRoot } from './project.ts';

export type StoreKind = 'sqlite' | 'jsonl' | 'memory';

/** A place for a journal that can be opened again and again. */
export interface Store {
  open(): Promise<Journal>;
}

/** How a person names a store: by itself, or by the project whose own store is meant. */
export interface StoreOptions {
  readonly store?: string | undefined;
  readonly root?: string | undefined;
}

const FOLDER = '.codicil';
const FILE = 'journal.sqlite';
const SQLITE_MAGIC = 'SQLite format 3\0';
const SESSION_FILE = /^s-.+\.jsonl$/;
const LOOKED_FOR = 'a journal is an SQLite file, or a folder with session files (s-….jsonl)';

/** Where the store lies that the options name: that of the project at hand when they name none. Absolute. */
export function storePath(o: StoreOptions): string {
  return o.store === undefined ? projectStore(o.root ?? findRoot(process.cwd())) : resolve(o.store);
}

/** The arguments that lead another command to the same store. */
export function storeArguments(o: StoreOptions): readonly string[] {
  if (o.store !== undefined) return ['--store', resolve(o.store)];
  return o.root === undefined ? [] : ['--root', resolve(o.root)];
}

function projectStore(root: string): string {
  return join(resolve(root), FOLDER, FILE);
}

/**
 * The path of a project's own store, with a folder made ready for it. Git ignores that folder by a file in it, so that nothing untracked turns up in
 * the project. Throws a {@link CommandError} where something else lies there.
 */
export function prepareProjectStore(root: string): string {
  const path = projectStore(root);
  const folder = dirname(path);
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there !== undefined && !there.isDirectory()) {
    throw new CommandError(`the journal cannot be kept in ${folder}: it is not a folder; move it away`);
  }
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
  return path;
}

export async function openStore(kind: StoreKind, path: string): Promise<Store> {
  switch (kind) {
    case 'sqlite': {
      const { openSqliteJournal } = await import('@codicil/journal-sqlite');
      return { open: () => openSqliteJournal(path) };
    }
    case 'jsonl': {
      const { openJsonlJournal } = await import('@codicil/journal-jsonl');
      return { open: () => openJsonlJournal(path) };
    }
    case 'memory': {
      const store = createMemoryStore();
      return { open: async () => createMemoryJournal({ store }) };
    }
  }
}

/** Opens a store that exists; nothing is made. Throws a {@link CommandError} that says what was looked for where there is none. */
export async function openExistingStore(path: string): Promise<Journal> {
  return (await openStore(kindAt(path), path)).open();
}

function kindAt(path: string): StoreKind {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new CommandError(
      `there is no journal at ${path}\nName its place with --store, or its project with --root; \`codicil demo\` makes one.`,
    );
  }
  if (found.isDirectory()) {
    if (readdirSync(path).some((name) => SESSION_FILE.test(name))) return 'jsonl';
    const near = [join(path, FILE), join(path, FOLDER, FILE)].find(
      (file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true,
    );
    const wayOut = near === undefined ? 'Name another place with --store.' : `Did you mean --store ${near}?`;
    throw new CommandError(`the folder ${path} is not a journal: ${LOOKED_FOR}\n${wayOut}`);
  }
  if (found.isFile() && beginning(path) === SQLITE_MAGIC) return 'sqlite';
  const what = found.isFile() ? (found.size === 0 ? 'the empty file' : 'the file') : 'what lies at';
  throw new CommandError(`${what} ${path} is not a journal: ${LOOKED_FOR}\nName another place with --store.`);
}

function beginning(path: string): string {
  const bytes = Buffer.alloc(SQLITE_MAGIC.length);
  const file = openSync(path, 'r');
  try {
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
