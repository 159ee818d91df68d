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
