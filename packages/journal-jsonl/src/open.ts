import { type Journal, JournalError, openJournal } from '@codicil/journal-records';
import { type Disk, hostDisk } from './disk.ts';
import { JsonlStore } from './store.ts';

export interface JsonlOptions {
  /** Milliseconds since 1970-01-01 UTC; the machine's clock when left out. */
  readonly clock?: (() => number) | undefined;
  /** A shortcut for the next reader is left after so many entries, at the earliest. Left out: 256. */
  readonly snapshotEvery?: number | undefined;
  /** What the files lie on; this machine's disk when left out. */
  readonly disk?: Disk | undefined;
}

/**
 * Opens a folder of sessions, one file each, and makes the folder where it is missing. Any number of processes may have it open at once; none of them holds a lock. Rejects
 * with a `JournalError`.
 */
export async function openJsonlJournal(folder: string, o: JsonlOptions = {}): Promise<Journal> {
  const disk = o.disk ?? hostDisk;
  try {
    disk.makeFolder(folder);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new JournalError('journal_write_failed', `the folder ${folder} cannot be used: ${why}`, { cause });
  }
  return openJournal(new JsonlStore(folder, disk), { clock: o.clock, snapshotEvery: o.snapshotEvery });
}
