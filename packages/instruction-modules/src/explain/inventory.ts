import type { ProjectPath } from '@codicil/project-path';
import type { ConditionalRule, InstructionModule, Inventory, InventoryOptions, LinkTouch } from '../contract.ts';
import type { RulesState } from '../discovery/rules-state.ts';
import { compareFolders, orderDiagnostics } from '../layout/order.ts';
import { findBorders } from '../nested/borders.ts';
import { type FolderFinding, findNested } from '../nested/nested.ts';
import type { Call } from '../resolve/call.ts';
import { readFresh, ruleDiagnostics } from '../resolve/delivery.ts';
import type { Startup } from '../resolve/startup.ts';
import { locateTouches } from '../resolve/touches.ts';
import { findDuplicates } from '../text/duplicates.ts';
import { notAppliedOf } from './not-applied.ts';

/** Folders that are looked into side by side. */
const FOLDER_CHUNK = 128;

/** What every touch of the folders could bring, put together from the same parts as an explanation of those touches. */
export async function takeInventory(
  call: Call,
  rules: RulesState,
  startup: Startup,
  o: InventoryOptions,
): Promise<Inventory> {
  const { source, places, signal } = call;
  const touches = await locateTouches(source, o.links, signal);
  const links = new Map<ProjectPath, LinkTouch>(
    touches.inside.map(({ path, names, folders }) => [path as ProjectPath, { names, folders: [...folders.keys()] }]),
  );
  const folders = [...new Set([...o.folders, ...[...links.values()].flatMap((link) => link.folders)])]
    .filter((folder) => folder !== '')
    .sort(compareFolders);
  const findings = await findEverywhere(call, folders);
  const conditional = rules.rows.filter(
    ({ reading }) => reading.kind === 'module' && reading.condition.kind === 'paths',
  );
  const fresh = await readFresh(call, conditional);

  const nested = findings.flatMap((finding) => (finding.kind === 'module' ? [finding.module] : []));
  const found = fresh.flatMap(({ module, globRanges }): ConditionalRule[] =>
    module?.condition.kind === 'paths' ? [{ module, globs: module.condition.globs, globRanges }] : [],
  );
  const modules: readonly InstructionModule[] = [...nested, ...found.map(({ module }) => module)];
  return {
    places,
    startup: startup.modules,
    nested,
    rules: found,
    notApplied: await notAppliedOf(call, rules, startup, { modules, findings, fresh }, folders),
    borders: await bordersAmong(call, folders),
    notListed: notListed(rules),
    links,
    diagnostics: orderDiagnostics([
      ...startup.diagnostics,
      ...touches.diagnostics,
      ...findings.flatMap((finding) => finding.diagnostics),
      ...ruleDiagnostics(rules.noted, fresh),
      ...findDuplicates([...startup.modules, ...modules]),
    ]),
  };
}

async function findEverywhere(call: Call, folders: readonly ProjectPath[]): Promise<readonly FolderFinding[]> {
  const { places, slices } = call;
  const open = folders.filter((folder) => !places.isInRulesTree(folder) && !places.isClosed(folder));
  const findings: FolderFinding[] = [];
  for (let start = 0; start < open.length; start += FOLDER_CHUNK) {
    findings.push(...(await findNested(call, open.slice(start, start + FOLDER_CHUNK))));
    if (slices.isOver()) await slices.next();
  }
  return findings;
}

async function bordersAmong(
  { source, layout, slices, signal }: Call,
  folders: readonly ProjectPath[],
): Promise<readonly ProjectPath[]> {
  if (layout.nestedRepositories === 'cross') return [];
  const borders = new Set<ProjectPath>();
  for (let start = 0; start < folders.length; start += FOLDER_CHUNK) {
    const among = await findBorders(source, folders.slice(start, start + FOLDER_CHUNK), signal);
    for (const border of among.values()) if (border.kind === 'repository') borders.add(border.folder);
    if (slices.isOver()) await slices.next();
  }
  return [...borders].sort(compareFolders);
}

function notListed(rules: RulesState): readonly ProjectPath[] {
  return [...rules.folders.values()].flatMap(({ path, listing }) =>
    listing === 'refused' || listing === 'unavailable' ? [path] : [],
  );
}
