export type { Disk } from './disk.ts';
export { type JsonlOptions, openJsonlJournal } from './journal.ts';
