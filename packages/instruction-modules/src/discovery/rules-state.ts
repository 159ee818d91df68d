import type { Diagnostic } from '@codicil/diagnostics';
import type { Known } from '@codicil/file-source';
import type { ProjectPath } from '@codicil/project-path';
import type { RuleRow } from '../rules/rule-row.ts';
import { findDuplicates } from '../text/duplicates.ts';
import type { RulesFolder, UnusableEntry } from './rules-folder.ts';

/** All rules of a project at one time, without their texts. Immutable. */
export interface RulesState {
  readonly folders: ReadonlyMap<ProjectPath, RulesFolder>;
  /** By path, in code-point order. */
  readonly rows: readonly RuleRow[];
  /** The rows that something is said about. */
  readonly noted: readonly RuleRow[];
  /** About folders, and about entries that are no rules. */
  readonly folderDiagnostics: readonly Diagnostic[];
  readonly duplicates: readonly Diagnostic[];
  readonly unusable: readonly UnusableEntry[];
  /** Rules, entries and folders that could not be told. */
  readonly unavailable: readonly ProjectPath[];
  /** What the source can prove unchanged. */
  readonly known: readonly Known[];
  /** Whether that is everything. */
  readonly isSettled: boolean;
}

export const emptyRules: RulesState = {
  folders: new Map(),
  rows: [],
  noted: [],
  folderDiagnostics: [],
  duplicates: [],
  unusable: [],
  unavailable: [],
  known: [],
  isSettled: false,
};

/** Puts the folders together. What hangs on the readings alone is taken over from the previous state where they are the same. */
export function rulesState(
  roots: readonly ProjectPath[],
  folders: ReadonlyMap<ProjectPath, RulesFolder>,
  previous: RulesState,
): RulesState {
  const rows: RuleRow[] = [];
  const known: Known[] = [];
  const folderDiagnostics: Diagnostic[] = [];
  const unusable: UnusableEntry[] = [];
  const unavailable: ProjectPath[] = [];
  let isSettled = true;
  const waiting: (RuleRow | ProjectPath)[] = [...roots].reverse();
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (typeof item !== 'string') {
      rows.push(item);
      if (item.reading.kind === 'unavailable') unavailable.push(item.path);
      if (isKnown(item)) known.push(item);
      else isSettled = false;
      continue;
    }
    const folder = folders.get(item);
    if (folder === undefined) continue;
    if (isKnown(folder)) known.push(folder);
    else isSettled = false;
    folderDiagnostics.push(...folder.diagnostics);
    unusable.push(...folder.unusable);
    if (folder.listing === 'unavailable') unavailable.push(folder.path);
    for (const { path, reason } of folder.unusable) if (reason === 'unavailable') unavailable.push(path);
    for (let index = folder.items.length - 1; index >= 0; index--) {
      const below = folder.items[index];
      if (below !== undefined) waiting.push(below);
    }
  }
  const isSame =
    rows.length === previous.rows.length &&
    rows.every(
      (row, index) => row.reading === previous.rows[index]?.reading && row.path === previous.rows[index]?.path,
    );
  return {
    folders,
    rows,
    noted: rows.filter((row) => row.reading.diagnostics.length > 0),
    folderDiagnostics,
    duplicates: isSame ? previous.duplicates : findDuplicates(bodiesOf(rows)),
    unusable,
    unavailable,
    known,
    isSettled,
  };
}

function isKnown<T extends { readonly path: ProjectPath; readonly stamp: Known['stamp'] | undefined }>(
  seen: T,
): seen is T & Known {
  return seen.stamp !== undefined;
}

function* bodiesOf(rows: readonly RuleRow[]): Generator<{ relPath: ProjectPath; sha256: string }> {
  for (const { path, reading } of rows) if (reading.kind === 'module') yield { relPath: path, sha256: reading.sha256 };
}
