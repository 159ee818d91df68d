export type {
  Entry,
  FileRead,
  FileSource,
  FirstRead,
  Known,
  ListOptions,
  ListOutcome,
  Location,
  ReadOptions,
  ReadOutcome,
  Stamp,
  WaitOptions,
} from './contract.ts';
