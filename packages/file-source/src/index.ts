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
export type { MemoryFaults } from './faults.ts';
export {
  createMemorySource,
  type MemoryOptions,
  type MemorySource,
  type MemoryTree,
  type OperationCounts,
} from './memory-source.ts';
export { sourceRefusals } from './refusals.ts';
export type {
  FileSpec,
  FolderSpec,
  HardLinkSpec,
  LinkSpec,
  SpecialSpec,
  TreeEdit,
  TreeEntry,
  TreeSpec,
} from './tree-spec.ts';
