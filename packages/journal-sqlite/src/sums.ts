import { hash } from 'node:crypto';
import type { SessionRow, TotalsRow } from './rows.ts';

const SUM_DIGITS = 16;

/** A row of a session that fits: its sum goes over its fields, and over the ids of the entries that it leads to. */
export function summedSession(row: Omit<SessionRow, 'sum'>): SessionRow {
  return { ...row, sum: sumOfSession(row) };
}

export function sumOfSession(row: Omit<SessionRow, 'sum'>): string {
  return sumOf([row.id, row.entries, row.leaf, row.leafId, row.forkedFrom, row.forkedAt, row.forkId]);
}

export function summedTotals(sessions: number): TotalsRow {
  return { sessions, sum: sumOf(['sessions', sessions]) };
}

function sumOf(fields: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(fields)).slice(0, SUM_DIGITS);
}
