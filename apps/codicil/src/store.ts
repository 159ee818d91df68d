import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createMemoryJournal, createMemoryStore, type Journal } from '@codicil/journal-records';
import { CommandError } from './command-error.ts';

export type StoreKind = 'sqlite' | 'jsonl' | 'memory';

/** A place for a journal that can be opened again and again. */
export interface Store {
  open(): Promise<Journal>;
}

export async function openStore(kind: StoreKind, path: string): Promise<Store> {
  switch (kind) {
    case 'sqlite': {
      const { openSqliteJournal } = await import('@codicil/journal-sqlite');
      mkdirSync(dirname(path), { recursive: true });
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

/** Opens a store that exists: a folder holds JSON Lines, a file is SQLite. */
export async function openExistingStore(path: string): Promise<Journal> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new CommandError(`there is no journal at ${path}; name one with --store, or run \`npm start\` to make one`);
  }
  return (await openStore(found.isDirectory() ? 'jsonl' : 'sqlite', path)).open();
}
