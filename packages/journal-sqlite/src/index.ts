export { openSqliteJournal, type SqliteJournalOptions } from './open.ts';
