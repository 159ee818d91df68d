import { matchesGlob } from '@codicil/glob-select';
import type { ProjectPath } from '@codicil/project-path';
import type { InstructionModule, Resolution } from '../contract.ts';
import type { RulesState } from '../discovery/rules-state.ts';
import { orderDiagnostics } from '../layout/order.ts';
import { type FolderFinding, findNested } from '../nested/nested.ts';
import { sameCondition } from '../rules/rule-row.ts';
import { findDuplicates } from '../text/duplicates.ts';
import type { Call } from './call.ts';
import { type FreshRule, readFresh, ruleDiagnostics } from './delivery.ts';
import { type Matched, type Selection, selectRules } from './selection.ts';
import type { Touches } from './touches.ts';
import { unavailableIn } from './unavailable.ts';

export interface Touched extends Resolution {
  readonly findings: readonly FolderFinding[];
  readonly fresh: readonly FreshRule[];
  /** Why each delivered rule applies. */
  readonly matches: ReadonlyMap<ProjectPath, readonly Matched[]>;
  readonly selection: Selection;
}

/** Nested files by depth, then path, then the conditional rules whose globs match, by path. */
export async function resolveTouched(
  call: Call,
  rules: RulesState,
  touches: Touches,
  previous: Selection,
): Promise<Touched> {
  const findings = await findNested(call, openFolders(call, touches));
  const names = [...new Set(touches.inside.flatMap((touch) => touch.names))];
  const { matches: chosen, selection } = await selectRules(call, previous, rules.rows, names);
  const fresh = await readFresh(call, [...chosen.keys()]);

  const modules: InstructionModule[] = [];
  for (const finding of findings) if (finding.kind === 'module') modules.push(finding.module);
  const matches = new Map<ProjectPath, readonly Matched[]>();
  for (const rule of fresh) {
    const matched = matchedNow(rule, chosen.get(rule.row) ?? [], names, call.source.ignoresCase);
    if (rule.module === undefined || matched.length === 0) continue;
    modules.push(rule.module);
    matches.set(rule.module.relPath, matched);
  }
  return {
    modules,
    unavailable: unavailableIn(rules, fresh, findings, touches.unavailable),
    findings,
    fresh,
    matches,
    selection,
    diagnostics: orderDiagnostics([
      ...touches.diagnostics,
      ...findings.flatMap((finding) => finding.diagnostics),
      ...rules.folderDiagnostics,
      ...ruleDiagnostics(rules.noted, fresh),
      ...rules.duplicates,
      ...findDuplicates(modules),
    ]),
  };
}

/** The folders of the touched paths in which nested files count. */
function openFolders({ places }: Call, touches: Touches): readonly ProjectPath[] {
  const folders = new Set<ProjectPath>();
  for (const touch of touches.inside) for (const folder of touch.folders.keys()) folders.add(folder);
  return [...folders].filter((folder) => !places.isInRulesTree(folder) && !places.isClosed(folder));
}

/** By the condition that was read with the text. */
function matchedNow(
  { row, reading }: FreshRule,
  chosen: readonly Matched[],
  names: readonly ProjectPath[],
  ignoreCase: boolean,
): readonly Matched[] {
  if (reading.kind !== 'module' || reading.condition.kind !== 'paths') return [];
  if (row.reading.kind === 'module' && sameCondition(row.reading.condition, reading.condition)) return chosen;
  const { globs } = reading.condition;
  return names.flatMap((path) =>
    globs.filter((glob) => matchesGlob(glob, path, { ignoreCase })).map((glob) => ({ path, glob })),
  );
}
