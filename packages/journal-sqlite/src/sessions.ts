import { JournalError, type SessionId } from '@codicil/journal-records';
import type { Rows, SessionRow } from './rows.ts';
import { summedSession, summedTotals, sumOfSession } from './sums.ts';

/**
 * The rows of the sessions, each proved by its sum. A row that is gone from a damaged page must not be taken for a session that never was: its entries still name it, and
 * for a session without any the rows are counted.
 */
export class Sessions {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Throws `journal_corrupt` for a row that does not fit its sum, and for one that is gone. */
  find(id: SessionId): SessionRow | undefined {
    const row = this.#rows.session(id);
    if (row === undefined) {
      this.#assertNeverWas(id);
      return undefined;
    }
    if (row.id === id && row.sum === sumOfSession(row)) return row;
    throw new JournalError('journal_corrupt', `where session ${id} stands is damaged`);
  }

  /** Of every session, those that are gone and yet named by their entries among them. Throws `journal_corrupt` when one is gone that nothing names. */
  ids(): readonly SessionId[] {
    const ids = this.#rows.sessionIds();
    const orphans = this.#orphans(ids);
    const fault = this.#faultInCount(ids.length, orphans.length);
    if (fault !== undefined) throw new JournalError('journal_corrupt', fault);
    return [...ids, ...orphans];
  }

  begin(row: Omit<SessionRow, 'sum'>): void {
    const total = this.#total();
    if (total === undefined) throw new JournalError('journal_corrupt', 'the number of sessions is damaged');
    this.#rows.insertSession(summedSession(row));
    this.#rows.updateTotals(summedTotals(total + 1));
  }

  move(row: SessionRow): void {
    this.#rows.updateSession(summedSession(row));
  }

  #assertNeverWas(id: SessionId): void {
    if (this.#rows.ownSeqs(id, 0, 1).length > 0) {
      throw new JournalError('journal_corrupt', `session ${id} has entries, and where it stands is lost`);
    }
    const count = this.#rows.sessionCount();
    if (count === this.#total()) return;
    const fault = this.#faultInCount(count, this.#orphans(this.#rows.sessionIds()).length);
    if (fault !== undefined) throw new JournalError('journal_corrupt', `${fault}: session ${id} may be one of them`);
  }

  #orphans(ids: readonly SessionId[]): readonly SessionId[] {
    const known = new Set(ids);
    return this.#rows.namedSessions().filter((id) => !known.has(id));
  }

  #faultInCount(rows: number, orphans: number): string | undefined {
    const total = this.#total();
    if (total === undefined) return 'the number of sessions is damaged';
    // A row whose id is damaged counts, and leaves an orphan as well.
    return rows <= total && total <= rows + orphans ? undefined : `there were ${total} sessions, and ${rows} are there`;
  }

  #total(): number | undefined {
    const [totals, ...more] = this.#rows.totals();
    if (totals === undefined || more.length > 0) return undefined;
    return summedTotals(totals.sessions).sum === totals.sum ? totals.sessions : undefined;
  }
}
