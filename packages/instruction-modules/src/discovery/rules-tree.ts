import { type Diagnostic, type DiagnosticCode, diagnostic } from '@codicil/diagnostics';
import type { Entry, Known, ListOutcome, ReadOptions, Stamp } from '@codicil/file-source';
import { joinPath, type ProjectPath } from '@codicil/project-path';
import { sortCodePoints } from '../layout/order.ts';
import type { Call } from '../resolve/call.ts';
import { readRule } from '../rules/rule.ts';
import { type RuleRow, settleRow } from '../rules/rule-row.ts';
import { whyNotThrough } from './linked-folder.ts';
import type { RulesFolder, UnusableEntry } from './rules-folder.ts';
import { type RulesState, rulesState } from './rules-state.ts';

/** A folder on its way: its rules may still have to be read. */
interface Draft {
  readonly path: ProjectPath;
  readonly stamp: Stamp | undefined;
  readonly items: (RuleRow | Unread | ProjectPath)[];
  readonly listing: ListOutcome['kind'];
  readonly diagnostics: readonly Diagnostic[];
  readonly unusable: readonly UnusableEntry[];
}

interface Unread {
  readonly path: ProjectPath;
  readonly isLink: boolean;
  readonly known: RuleRow | undefined;
}

/** Files of one trip to the source. */
const READ_CHUNK = 256;
/** Folders that are listed side by side. */
const LIST_CHUNK = 16;

/**
 * The rules as they are now. Starts from an earlier state, of which it uses what the source proves unchanged; from an empty one it reads everything.
 * The earlier state is left as it was, so that calls may overlap.
 */
export async function refreshRules(call: Call, previous: RulesState): Promise<RulesState> {
  const stale = await staleOf(call, previous);
  if (stale.size === 0 && previous.isSettled) return previous;

  const kept = new Map<ProjectPath, RulesFolder>();
  const drafts = await draftFolders(call, previous, stale, kept);
  await readDrafts(call, drafts);
  for (const draft of drafts) kept.set(draft.path, draft as RulesFolder);
  return rulesState(call.places.rulesFolders, kept, previous);
}

async function staleOf({ source, signal }: Call, previous: RulesState): Promise<ReadonlySet<Known>> {
  const stale = new Set<Known>();
  if (previous.known.length === 0) return stale;
  for (const index of await source.changed(previous.known, { signal })) {
    const known = previous.known[index];
    if (known !== undefined) stale.add(known);
  }
  return stale;
}

/** Walks the tree. A folder that is unchanged, with all its rules, goes into `kept` as it is. */
async function draftFolders(
  call: Call,
  previous: RulesState,
  stale: ReadonlySet<unknown>,
  kept: Map<ProjectPath, RulesFolder>,
): Promise<readonly Draft[]> {
  const { source, layout, places, slices, signal } = call;
  const drafts: Draft[] = [];
  const waiting: ProjectPath[] = [...places.rulesFolders].reverse();
  while (waiting.length > 0) {
    const level = waiting.splice(Math.max(0, waiting.length - LIST_CHUNK));
    const toList: ProjectPath[] = [];
    for (const path of level) {
      const known = previous.folders.get(path);
      if (known === undefined || known.stamp === undefined || stale.has(known)) toList.push(path);
      else {
        const draft = draftKept(known, stale);
        if (draft === undefined) kept.set(path, known);
        else drafts.push(draft);
        for (const item of known.items) if (typeof item === 'string') waiting.push(item);
      }
    }
    const options = { maxEntries: layout.maxEntries, signal };
    const listings = await Promise.all(toList.map((path) => source.list(path, options)));
    for (const [index, path] of toList.entries()) {
      let listing = listings[index];
      if (listing === undefined) continue;
      if (listing.kind === 'refused' && listing.diagnostic.code === 'symlink_refused') {
        listing = { kind: 'refused', diagnostic: await whyNotThrough(call, path, listing.diagnostic) };
      }
      const draft = draftListed(path, listing, previous.folders.get(path), stale);
      drafts.push(draft);
      for (const item of draft.items) if (typeof item === 'string') waiting.push(item);
    }
    if (slices.isOver()) await slices.next();
  }
  return drafts;
}

const isClean = (row: RuleRow, stale: ReadonlySet<unknown>): boolean => row.stamp !== undefined && !stale.has(row);

/** The same listing, with the rules that have to be read again; `undefined` when there are none. */
function draftKept(folder: RulesFolder, stale: ReadonlySet<unknown>): Draft | undefined {
  if (folder.items.every((item) => typeof item === 'string' || isClean(item, stale))) return undefined;
  const items = folder.items.map((item) =>
    typeof item === 'string' || isClean(item, stale) ? item : { path: item.path, isLink: false, known: item },
  );
  return { ...folder, items };
}

function draftListed(
  path: ProjectPath,
  listing: ListOutcome,
  known: RulesFolder | undefined,
  stale: ReadonlySet<unknown>,
): Draft {
  if (listing.kind !== 'entries') {
    const diagnostics = listing.kind === 'absent' ? [] : [listing.diagnostic];
    return { path, stamp: undefined, items: [], listing: listing.kind, diagnostics, unusable: [] };
  }
  const rows = new Map<string, RuleRow>();
  for (const item of known?.items ?? []) if (typeof item !== 'string') rows.set(item.path, item);

  const byKey = new Map<string, Entry>();
  const diagnostics: Diagnostic[] = [];
  const unusable: UnusableEntry[] = [];
  let hasLinks = false;
  for (const entry of listing.entries) {
    const isRule = entry.name.endsWith('.md');
    const entryPath = joinPath(path, entry.name);
    if (entry.linked || entry.refusal !== undefined) hasLinks = true;
    const fault = faultOf(entry, entryPath, isRule);
    if (fault !== undefined) diagnostics.push(fault);
    if (isRule && fault !== undefined && !NO_FILE.has(fault.code)) {
      unusable.push({ path: entryPath, reason: fault.code === 'file_unreadable' ? 'unavailable' : 'refused' });
    }
    // A folder sorts as it does in the paths below it: with its slash.
    if (entry.kind === 'folder') byKey.set(`${entry.name}/`, entry);
    else if (entry.kind === 'file' && isRule) byKey.set(entry.name, entry);
  }
  const items = sortCodePoints([...byKey.keys()]).flatMap((key): Draft['items'] => {
    const entry = byKey.get(key);
    if (entry === undefined) return [];
    const entryPath = joinPath(path, entry.name);
    if (entry.kind === 'folder') return [entryPath];
    const row = rows.get(entryPath);
    if (row !== undefined && !entry.linked && isClean(row, stale)) return [row];
    return [{ path: entryPath, isLink: entry.linked, known: row }];
  });
  // What a link leads to may change without its folder, so a folder that holds one is never taken for unchanged.
  return { path, stamp: hasLinks ? undefined : listing.stamp, items, listing: 'entries', diagnostics, unusable };
}

/** There is no file to read, so there is no rule that could be refused. */
const NO_FILE: ReadonlySet<DiagnosticCode> = new Set(['not_a_regular_file', 'symlink_dangling']);

/** What an editor puts beside a file that is open: a link that says who opened it. */
const isEditorLock = (entry: Entry): boolean => entry.name.startsWith('.#');

/** What is said about an entry. An escape or a folder link is named whatever the entry is called, the rest where a rule was meant. */
function faultOf(entry: Entry, path: ProjectPath, isRule: boolean): Diagnostic | undefined {
  if (entry.refusal !== undefined) {
    if (!isRule && NO_FILE.has(entry.refusal.code)) return undefined;
    const isLock = entry.refusal.code === 'symlink_dangling' && isEditorLock(entry);
    return isLock ? { ...entry.refusal, severity: 'warning' } : entry.refusal;
  }
  if (!isRule || entry.kind === 'file') return undefined;
  return diagnostic('not_a_regular_file', {
    path,
    message: `${entry.kind === 'folder' ? 'a folder' : 'something that is no regular file'} has the name of a rule`,
    hint: 'Rename it, or put a regular file in its place.',
  });
}

async function readDrafts({ source, layout, slices, signal }: Call, drafts: readonly Draft[]): Promise<void> {
  const options: ReadOptions = { maxBytes: layout.maxFileBytes, links: 'inside', signal };
  const unreads: { readonly items: Draft['items']; readonly index: number; readonly unread: Unread }[] = [];
  for (const { items } of drafts) {
    for (const [index, item] of items.entries()) {
      if (typeof item !== 'string' && !('reading' in item)) unreads.push({ items, index, unread: item });
    }
  }
  for (let start = 0; start < unreads.length; start += READ_CHUNK) {
    const chunk = unreads.slice(start, start + READ_CHUNK);
    const outcomes = await source.readMany(
      chunk.map((place) => place.unread.path),
      options,
    );
    for (const [offset, { items, index, unread }] of chunk.entries()) {
      const outcome = outcomes[offset];
      if (outcome === undefined) throw new TypeError('the source answered fewer reads than it was asked for');
      const rule = readRule(unread.path, outcome, layout);
      const fresh = rule instanceof Promise ? await rule : rule;
      const isPlain = outcome.kind === 'file' && !unread.isLink && outcome.realPath === unread.path;
      const row: RuleRow = { path: unread.path, stamp: isPlain ? outcome.stamp : undefined, reading: fresh.reading };
      items[index] = settleRow(unread.known, row);
      if (slices.isOver()) await slices.next();
    }
  }
}
