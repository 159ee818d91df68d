import type { FirstRead, ReadOptions, ReadOutcome } from '@codicil/file-source';
import { baseName, joinPath, type ProjectPath, parentOf, parseProjectPath, ROOT } from '@codicil/project-path';
import type { ModuleStatus } from '../contract.ts';
import { findBorders } from '../nested/borders.ts';
import { readPlainModule } from '../nested/plain-module.ts';
import { readRule } from '../rules/rule.ts';
import type { Call } from './call.ts';

const CURRENT: ModuleStatus = { kind: 'current' };
const ABSENT: ModuleStatus = { kind: 'absent' };
const UNKNOWN: ModuleStatus = { kind: 'unknown' };

/** Where modules that were delivered earlier stand now. Asks about their own paths alone. */
export async function statusOf(call: Call, relPaths: readonly string[]): Promise<readonly ModuleStatus[]> {
  const statuses = new Map<string, ModuleStatus>();
  const rules: ProjectPath[] = [];
  const files: ProjectPath[] = [];
  for (const relPath of new Set(relPaths)) {
    const path = parseProjectPath(relPath);
    if (path === undefined) statuses.set(relPath, ABSENT);
    else if (call.places.isInRulesTree(path)) rules.push(path);
    else files.push(path);
  }
  for (const [path, status] of await ruleStatuses(call, rules)) statuses.set(path, status);
  for (const [path, status] of await fileStatuses(call, files)) statuses.set(path, status);
  return relPaths.map((relPath) => statuses.get(relPath) ?? UNKNOWN);
}

type Statuses = readonly (readonly [ProjectPath, ModuleStatus])[];

async function ruleStatuses(call: Call, paths: readonly ProjectPath[]): Promise<Statuses> {
  if (paths.length === 0) return [];
  const options: ReadOptions = { maxBytes: call.layout.maxFileBytes, links: 'inside', signal: call.signal };
  const outcomes = await call.source.readMany(paths, options);
  return Promise.all(
    paths.map(async (path, index) => {
      const outcome = outcomes[index];
      return [path, outcome === undefined ? UNKNOWN : await ruleStatus(call, path, outcome)] as const;
    }),
  );
}

async function ruleStatus(call: Call, path: ProjectPath, outcome: ReadOutcome): Promise<ModuleStatus> {
  if (!path.endsWith('.md')) return ABSENT;
  if (outcome.kind === 'absent') return ABSENT;
  if (outcome.kind !== 'file') return UNKNOWN;
  const { reading } = await readRule(path, outcome, call.layout);
  if (reading.kind !== 'module') return UNKNOWN;
  if (outcome.realPath === path) return CURRENT;
  // Reached through a link: one of the file itself is followed, one of a folder is not.
  const folder = parentOf(path) ?? ROOT;
  const listing = await call.source.list(folder, { maxEntries: call.layout.maxEntries, signal: call.signal });
  return listing.kind === 'entries' ? CURRENT : UNKNOWN;
}

async function fileStatuses(call: Call, paths: readonly ProjectPath[]): Promise<Statuses> {
  const { source, layout, places, signal } = call;
  const isRead = (path: ProjectPath): boolean => {
    const folder = parentOf(path) ?? ROOT;
    return places.isCandidate(baseName(path)) && (folder === ROOT || !places.isClosed(folder));
  };
  const open = paths.filter(isRead);
  const folders = [...new Set(open.map((path) => parentOf(path) ?? ROOT))];
  const reads = new Map<ProjectPath, FirstRead>();
  const first = await Promise.all(
    folders.map((folder) => {
      const links = folder === ROOT ? 'anywhere' : 'inside';
      return source.readFirst(folder, places.candidateNames, { maxBytes: layout.maxFileBytes, links, signal });
    }),
  );
  for (const [index, folder] of folders.entries()) {
    const read = first[index];
    if (read !== undefined) reads.set(folder, read);
  }
  const nested = layout.nestedRepositories === 'cross' ? [] : folders.filter((folder) => folder !== ROOT);
  const borders = await findBorders(source, nested, signal);
  return paths.map((path) => {
    const folder = parentOf(path) ?? ROOT;
    const read = reads.get(folder);
    if (!isRead(path) || read === undefined) return [path, ABSENT] as const;
    const status = fileStatus(call, path, folder, read);
    const border = borders.get(folder);
    if (border === undefined || status.kind === 'absent') return [path, status] as const;
    return [path, border.kind === 'repository' ? ABSENT : UNKNOWN] as const;
  });
}

function fileStatus({ places, source }: Call, path: ProjectPath, folder: ProjectPath, read: FirstRead): ModuleStatus {
  if (read.name === undefined) return ABSENT;
  const rank = (name: string): number =>
    places.candidateNames.findIndex((candidate) =>
      source.ignoresCase ? candidate.toLowerCase() === name.toLowerCase() : candidate === name,
    );
  const asked = rank(baseName(path));
  const winner = rank(read.name);
  if (winner > asked) return ABSENT;
  const by = joinPath(folder, read.name);
  const isUsable = read.outcome.kind === 'file' && readPlainModule(by, read.outcome.bytes, 'nested').kind === 'module';
  if (!isUsable) return UNKNOWN;
  return winner === asked ? CURRENT : { kind: 'shadowed', by };
}
