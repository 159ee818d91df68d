import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Journal, JournalEntry, SessionId } from '@codicil/journal-records';
import { isJournalError } from '@codicil/journal-records';
import { openSqliteJournal, type SqliteJournalOptions } from '@codicil/journal-sqlite';
import fc from 'fast-check';

/** A file in a folder of its own, and the openings of it. */
export interface FileStore {
  readonly file: string;
  open(o?: SqliteJournalOptions): Promise<Journal>;
  dispose(): Promise<void>;
}

export function fileStore(): FileStore {
  const folder = mkdtempSync(join(tmpdir(), 'codicil-sqlite-'));
  const file = join(folder, 'journal.db');
  const opened: Journal[] = [];
  return {
    file,
    async open(o) {
      const journal = await openSqliteJournal(file, o);
      opened.push(journal);
      return journal;
    },
    async dispose() {
      for (const journal of opened) await journal.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The entries of the active branch, oldest first. */
export async function branchOf(journal: Journal, session: SessionId): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.branch(session)) entries.push(entry);
  return entries.reverse();
}

export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return isJournalError(error) ? error.code : `another error: ${error}`;
  }
}

/** A share of the usual number of runs, for properties whose every step waits for the disk. */
export function fewerRuns(divisor: number): { readonly numRuns: number } {
  return { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / divisor) };
}
