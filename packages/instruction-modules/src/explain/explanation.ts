import type { ReadOptions } from '@codicil/file-source';
import { compareCodePoints, joinPath, type ProjectPath } from '@codicil/project-path';
import type { Explanation, InstructionModule, NotApplied } from '../contract.ts';
import type { RulesState } from '../discovery/rules-state.ts';
import { orderDiagnostics } from '../layout/order.ts';
import { type FolderFinding, findNested } from '../nested/nested.ts';
import type { Call } from '../resolve/call.ts';
import type { Startup } from '../resolve/startup.ts';
import type { Touched } from '../resolve/touched.ts';
import type { Touches } from '../resolve/touches.ts';
import type { RuleReading } from '../rules/rule-row.ts';
import { findDuplicates } from '../text/duplicates.ts';

/** Puts together what startup and the touches gave, and says of every other module why it does not apply. */
export async function explainResolutions(
  call: Call,
  rules: RulesState,
  touches: Touches,
  startup: Startup,
  touched: Touched,
): Promise<Explanation> {
  const delivered = touched.modules.map((module) => ({ module, matched: whyDelivered(module, touches, touched) }));
  const notApplied: NotApplied[] = [
    ...rulesNotApplied(rules, startup, touched),
    ...[startup.root, ...touched.findings].flatMap(findingNotApplied),
    ...(await shadowed(call, [startup.root, ...touched.findings])),
    ...(await inClosedFolders(call, touches)),
  ];
  return {
    startup: startup.modules,
    delivered,
    notApplied: notApplied.sort((left, right) => compareCodePoints(left.relPath, right.relPath)),
    diagnostics: orderDiagnostics([
      ...startup.diagnostics,
      ...touched.diagnostics,
      ...findDuplicates([...startup.modules, ...touched.modules]),
    ]),
  };
}

function whyDelivered(
  module: InstructionModule,
  touches: Touches,
  touched: Touched,
): Explanation['delivered'][number]['matched'] {
  if (module.origin === 'rule') return touched.matches.get(module.relPath) ?? [];
  const finding = touched.findings.find((found) => found.kind === 'module' && found.module === module);
  if (finding === undefined) return [];
  const names = touches.inside.flatMap((touch) => touch.folders.get(finding.folder) ?? []);
  return [...new Set(names)].map((path) => ({ path, glob: undefined }));
}

function rulesNotApplied(rules: RulesState, startup: Startup, touched: Touched): readonly NotApplied[] {
  const applied = new Set([...startup.modules, ...touched.modules].map((module) => module.relPath));
  const readings = new Map<ProjectPath, RuleReading>(
    [...startup.fresh, ...touched.fresh].map(({ row, reading }) => [row.path, reading]),
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

/** What would have been found in the closed folders of the touched paths. */
async function inClosedFolders(call: Call, touches: Touches): Promise<readonly NotApplied[]> {
  const folders = new Set(touches.inside.flatMap((touch) => [...touch.folders.keys()]));
  const closed = [...folders].filter((folder) => call.places.isClosed(folder) && !call.places.isInRulesTree(folder));
  const findings = await findNested({ ...call, layout: { ...call.layout, nestedRepositories: 'cross' } }, closed);
  return findings.flatMap((finding): NotApplied[] =>
    finding.kind === 'nothing' ? [] : [{ relPath: finding.relPath, reason: 'dependency_folder', globs: [] }],
  );
}
