import type { Diagnostic } from '@codicil/diagnostics';
import type { Stamp } from '@codicil/file-source';
import type { ProjectPath } from '@codicil/project-path';
import type { Condition } from '../contract.ts';

/** What is remembered of a rule file: everything but its text. */
export interface RuleRow {
  readonly path: ProjectPath;
  /** `undefined`: read it again every time (a link, a refusal, something that could not be told). */
  readonly stamp: Stamp | undefined;
  readonly reading: RuleReading;
}

export type RuleReading =
  | {
      readonly kind: 'module';
      readonly condition: Condition;
      readonly sha256: string;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: 'refused' | 'unavailable' | 'absent'; readonly diagnostics: readonly Diagnostic[] };

/** The new row, with whatever of the old one still holds: what did not change keeps its identity, and what hangs on it stays valid. */
export function settleRow(old: RuleRow | undefined, fresh: RuleRow): RuleRow {
  if (old === undefined) return fresh;
  const reading = settleReading(old.reading, fresh.reading);
  if (reading === old.reading && fresh.stamp === old.stamp) return old;
  return { path: fresh.path, stamp: fresh.stamp, reading };
}

function settleReading(old: RuleReading, fresh: RuleReading): RuleReading {
  if (old.kind !== 'module' || fresh.kind !== 'module') {
    return old.kind === fresh.kind && sameDiagnostics(old.diagnostics, fresh.diagnostics) ? old : fresh;
  }
  const condition = sameCondition(old.condition, fresh.condition) ? old.condition : fresh.condition;
  const isSame =
    condition === old.condition && old.sha256 === fresh.sha256 && sameDiagnostics(old.diagnostics, fresh.diagnostics);
  return isSame ? old : { ...fresh, condition };
}

/** Whether two conditions ask for the same. */
export function sameCondition(left: Condition, right: Condition): boolean {
  if (left.kind !== 'paths' || right.kind !== 'paths') return left.kind === right.kind;
  return left.globs.length === right.globs.length && left.globs.every((glob, index) => glob === right.globs[index]);
}

function sameDiagnostics(left: readonly Diagnostic[], right: readonly Diagnostic[]): boolean {
  if (left.length === 0 && right.length === 0) return true;
  return JSON.stringify(left) === JSON.stringify(right);
}
