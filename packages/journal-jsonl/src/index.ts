export type { Disk } from './disk.ts';
export { type JsonlOptions, openJsonlJournal } from './open.ts';
