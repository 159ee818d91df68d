import type { ProjectPath } from '@codicil/project-path';
import type { RulesState } from '../discovery/rules-state.ts';
import { sortCodePoints } from '../layout/order.ts';
import type { FolderFinding } from '../nested/nested.ts';
import type { FreshRule } from './delivery.ts';

const NOTHING: readonly ProjectPath[] = [];

/** Where an answer may lack something because it could not be told, by path. */
export function unavailableIn(
  rules: RulesState,
  fresh: readonly FreshRule[],
  findings: readonly FolderFinding[],
  touches: readonly ProjectPath[],
): readonly ProjectPath[] {
  const places = new Set<ProjectPath>([...touches, ...rules.unavailable]);
  for (const { row, reading } of fresh) if (reading.kind === 'unavailable') places.add(row.path);
  for (const finding of findings) if (finding.kind === 'unavailable') places.add(finding.relPath);
  return places.size === 0 ? NOTHING : (sortCodePoints([...places]) as ProjectPath[]);
}
