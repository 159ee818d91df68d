import { createSelector, type Glob, type Selector } from '@codicil/glob-select';
import type { ProjectPath } from '@codicil/project-path';
import type { Condition } from '../contract.ts';
import type { RuleRow } from '../rules/rule-row.ts';
import type { Call } from './call.ts';

/** Why a rule applies. */
export interface Matched {
  readonly path: ProjectPath;
  readonly glob: Glob;
}

/** Globs that are compiled without giving the event loop a turn: about a millisecond's work. */
const PORTION = 512;

/** The globs of all rules as one selector. An edit of a body costs nothing, an edit of a rule's globs a new one. */
export interface Selection {
  readonly conditions: readonly (Condition | undefined)[];
  readonly selector: Selector<number>;
}

export const emptySelection: Selection = {
  conditions: [],
  selector: createSelector<number>([], { ignoreCase: false }),
};

const conditionOf = (row: RuleRow | undefined): Condition | undefined =>
  row?.reading.kind === 'module' ? row.reading.condition : undefined;

/** The rows whose globs match one of the paths, with all that matches, in the order of the rows; and the selection to go on with. */
export async function selectRules(
  { source, slices }: Call,
  previous: Selection,
  rows: readonly RuleRow[],
  paths: readonly ProjectPath[],
): Promise<{ readonly matches: ReadonlyMap<RuleRow, readonly Matched[]>; readonly selection: Selection }> {
  const selection = isStillTrue(previous, rows) ? previous : selectionOf(rows, source.ignoresCase);
  while (!selection.selector.compile(PORTION)) if (slices.isOver()) await slices.next();
  const found = new Map<number, Matched[]>();
  for (const path of paths) {
    for (const { id, glob } of selection.selector.match(path)) {
      const list = found.get(id);
      if (list === undefined) found.set(id, [{ path, glob }]);
      else list.push({ path, glob });
    }
    if (slices.isOver()) await slices.next();
  }
  const matches = new Map<RuleRow, readonly Matched[]>();
  for (const id of [...found.keys()].sort((left, right) => left - right)) {
    const row = rows[id];
    if (row !== undefined) matches.set(row, found.get(id) ?? []);
  }
  return { matches, selection };
}

function selectionOf(rows: readonly RuleRow[], ignoreCase: boolean): Selection {
  const conditions = rows.map(conditionOf);
  const entries = conditions.flatMap((condition, id) =>
    condition?.kind === 'paths' ? [{ id, globs: condition.globs }] : [],
  );
  return { conditions, selector: createSelector(entries, { ignoreCase }) };
}

function isStillTrue({ conditions }: Selection, rows: readonly RuleRow[]): boolean {
  return conditions.length === rows.length && rows.every((row, id) => conditions[id] === conditionOf(row));
}
