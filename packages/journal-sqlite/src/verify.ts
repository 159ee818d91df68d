import type { StoreProblem } from '@codicil/journal-records';
import type { Database } from './driver.ts';
import { asJournalError } from './failures.ts';

/**
 * What SQLite finds wrong with the structure of its own file, on a connection of its own. What a crash left half-written in the write-ahead log was never acknowledged;
 * SQLite drops it at the next opening, so nothing of it is found here.
 */
export function structureProblems(openReader: () => Database, file: string): readonly StoreProblem[] {
  let database: Database | undefined;
  try {
    database = openReader();
    const found = database.pragma('integrity_check(100)') as readonly { readonly integrity_check: string }[];
    return found
      .filter(({ integrity_check: said }) => said !== 'ok')
      .map(({ integrity_check: said }) => corrupt(`the database: ${said}`));
  } catch (error) {
    return [corrupt(asJournalError(error, file, 'reading').message)];
  } finally {
    database?.close();
  }
}

function corrupt(message: string): StoreProblem {
  return { sessionId: undefined, kind: 'corrupt', message };
}
