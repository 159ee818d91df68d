import type { Diagnostic } from '@codicil/diagnostics';
import type { ListOutcome, Stamp } from '@codicil/file-source';
import type { ProjectPath } from '@codicil/project-path';
import type { RuleRow } from '../rules/rule-row.ts';

/** A folder of the rules tree as it was listed. */
export interface RulesFolder {
  readonly path: ProjectPath;
  /** `undefined`: list it again every time. */
  readonly stamp: Stamp | undefined;
  /** Rules, and the folders below by their paths, together in the order of the whole paths. */
  readonly items: readonly (RuleRow | ProjectPath)[];
  /** What the source answered; `'absent'`, `'refused'` and `'unavailable'` come without items. */
  readonly listing: ListOutcome['kind'];
  readonly diagnostics: readonly Diagnostic[];
  /** Entries named as rules that cannot be used. */
  readonly unusable: readonly UnusableEntry[];
}

/** An entry that is named as a rule, and no file to read. */
export interface UnusableEntry {
  readonly path: ProjectPath;
  readonly reason: 'refused' | 'unavailable';
}
