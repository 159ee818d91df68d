import type { ReadOptions } from '@codicil/file-source';
import { compareCodePoints, joinPath, type ProjectPath } from '@codicil/project-path';
import type { InstructionModule, NotApplied } from '../contract.ts';
import type { RulesState } from '../discovery/rules-state.ts';
import { type FolderFinding, findNested } from '../nested/nested.ts';
import type { Call } from '../resolve/call.ts';
import type { FreshRule } from '../resolve/delivery.ts';
import type { Startup } from '../resolve/startup.ts';
import type { RuleReading } from '../rules/rule-row.ts';

/** What was found beside the startup set, whoever asked for it. */
export interface Found {
  readonly modules: readonly InstructionModule[];
  readonly findings: readonly FolderFinding[];
  readonly fresh: readonly FreshRule[];
}

/** Every module that is there and in neither set, by path, with why not. `folders` are those that were asked about, closed ones included. */
export async function notAppliedOf(
  call: Call,
  rules: RulesState,
  startup: Startup,
  found: Found,
  folders: readonly ProjectPath[],
): Promise<readonly NotApplied[]> {
  const findings = [startup.root, ...found.findings];
  const notApplied: NotApplied[] = [
    ...rulesNotApplied(rules, startup, found),
    ...findings.flatMap(findingNotApplied),
    ...(await shadowed(call, findings)),
    ...(await inClosedFolders(call, folders)),
  ];
  return notApplied.sort((left, right) => compareCodePoints(left.relPath, right.relPath));
}

function rulesNotApplied(rules: RulesState, startup: Startup, found: Found): readonly NotApplied[] {
  const applied = new Set([...startup.modules, ...found.modules].map((module) => module.relPath));
  const readings = new Map<ProjectPath, RuleReading>(
    [...startup.fresh, ...found.fresh].map(({ row, reading }) => [row.path, reading]),
  );
  const notApplied: NotApplied[] = rules.unusable.map(({ path, reason }) => ({ relPath: path, reason, globs: [] }));
  for (const row of rules.rows) {
    if (applied.has(row.path)) continue;
    const reading = readings.get(row.path) ?? row.reading;
    if (reading.kind === 'absent') continue;
    if (reading.kind !== 'module') notApplied.push({ relPath: row.path, reason: reading.kind, globs: [] });
    else if (reading.condition.kind === 'paths') {
      notApplied.push({ relPath: row.path, reason: 'no_glob_matches', globs: reading.condition.globs });
    }
  }
  return notApplied;
}

function findingNotApplied(finding: FolderFinding): readonly NotApplied[] {
  switch (finding.kind) {
    case 'nothing':
    case 'module':
      return [];
    case 'refused':
    case 'unavailable':
      return [{ relPath: finding.relPath, reason: finding.kind, globs: [] }];
    case 'behind-border':
      return [{ relPath: finding.relPath, reason: 'nested_repository', globs: [] }];
  }
}

/** The candidates that exist beside the one that decided. */
async function shadowed(call: Call, findings: readonly FolderFinding[]): Promise<readonly NotApplied[]> {
  const { source, layout, places, signal } = call;
  const options: ReadOptions = { maxBytes: layout.maxFileBytes, links: 'inside', signal };
  const lower = findings.flatMap((finding) => {
    if (finding.kind === 'nothing' || finding.kind === 'behind-border') return [];
    const rank = places.candidateNames.findIndex((name) => joinPath(finding.folder, name) === finding.relPath);
    return places.candidateNames.slice(rank + 1).map((name) => joinPath(finding.folder, name));
  });
  const outcomes = await source.readMany(lower, options);
  return lower.flatMap((relPath, index): NotApplied[] =>
    outcomes[index]?.kind === 'absent' ? [] : [{ relPath, reason: 'shadowed', globs: [] }],
  );
}

/** What would have been found in the closed folders. */
async function inClosedFolders(call: Call, folders: readonly ProjectPath[]): Promise<readonly NotApplied[]> {
  const closed = folders.filter((folder) => call.places.isClosed(folder) && !call.places.isInRulesTree(folder));
  const findings = await findNested({ ...call, layout: { ...call.layout, nestedRepositories: 'cross' } }, closed);
  return findings.flatMap((finding): NotApplied[] =>
    finding.kind === 'nothing' ? [] : [{ relPath: finding.relPath, reason: 'dependency_folder', globs: [] }],
  );
}
