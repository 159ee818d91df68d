import { createSelector, type Glob, type Selector } from '@codicil/glob-select';
import type { ProjectPath } from '@codicil/project-path';
import type { Call } from './call.ts';
import type { Condition } from './contract.ts';
import type { RuleRow } from './rule-row.ts';

/** Why a rule applies. */
export interface Matched {
  readonly path: ProjectPath;
  readonly glob: Glob;
}

/** As many rules as are compiled without giving the event loop a turn. */
const CHUNK = 2_048;

interface Chunk {
  readonly conditions: readonly (Condition | undefined)[];
  readonly selector: Selector<number>;
}

/** The globs of all rules, compiled in chunks: an edit of one rule's globs costs its chunk, an edit of a body nothing. */
export interface Selection {
  readonly chunks: readonly Chunk[];
}

export const emptySelection: Selection = { chunks: [] };

const conditionOf = (row: RuleRow | undefined): Condition | undefined =>
  row?.reading.kind === 'module' ? row.reading.condition : undefined;

/** The rows whose globs match one of the paths, with all that matches, in the order of the rows; and the selection to go on with. */
export async function selectRules(
  { source, slices }: Call,
  previous: Selection,
  rows: readonly RuleRow[],
  paths: readonly ProjectPath[],
): Promise<{ readonly matches: ReadonlyMap<RuleRow, readonly Matched[]>; readonly selection: Selection }> {
  const chunks: Chunk[] = [];
  const matches = new Map<RuleRow, Matched[]>();
  for (let start = 0; start < rows.length; start += CHUNK) {
    const chunk = chunkOf(previous.chunks[chunks.length], rows, start, source.ignoresCase);
    chunks.push(chunk);
    const found = new Map<number, Matched[]>();
    for (const path of paths) {
      for (const { id, glob } of chunk.selector.match(path)) {
        const list = found.get(id);
        if (list === undefined) found.set(id, [{ path, glob }]);
        else list.push({ path, glob });
      }
      if (slices.isOver()) await slices.next();
    }
    for (const id of [...found.keys()].sort((left, right) => left - right)) {
      const row = rows[start + id];
      if (row !== undefined) matches.set(row, found.get(id) ?? []);
    }
  }
  return { matches, selection: { chunks } };
}

function chunkOf(known: Chunk | undefined, rows: readonly RuleRow[], start: number, ignoreCase: boolean): Chunk {
  const length = Math.min(CHUNK, rows.length - start);
  if (known !== undefined && isStillTrue(known, rows, start, length)) return known;
  const conditions: (Condition | undefined)[] = [];
  const entries: { id: number; globs: readonly Glob[] }[] = [];
  for (let id = 0; id < length; id++) {
    const condition = conditionOf(rows[start + id]);
    conditions.push(condition);
    if (condition?.kind === 'paths') entries.push({ id, globs: condition.globs });
  }
  return { conditions, selector: createSelector(entries, { ignoreCase }) };
}

function isStillTrue(known: Chunk, rows: readonly RuleRow[], start: number, length: number): boolean {
  if (known.conditions.length !== length) return false;
  for (let id = 0; id < length; id++) if (known.conditions[id] !== conditionOf(rows[start + id])) return false;
  return true;
}
