import { equal, fail, ok } from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import type { Diagnostic, DiagnosticCode } from '@codicil/diagnostics';
import { type ProjectPath, parseProjectPath } from '@codicil/project-path';
import type { FileRead, FileSource, ListOutcome, ReadOptions, ReadOutcome } from '../contract.ts';
import type { TreeEdit, TreeSpec } from '../tree-spec.ts';

/** What an implementer hands to the suite for each case: a source over a fresh tree, and the hands to change that tree. */
export interface SourceUnderTest {
  readonly source: FileSource;
  /** Changes the tree behind the source's back. */
  edit(change: TreeEdit): Promise<void>;
  /** The native absolute path of a path of the tree, `''` being the real root and `../x` a neighbour of it. */
  at(path: string): string;
  /** Lets time pass until a stamp taken from now on is old enough to be trusted. With a clock that is passed in, move it; never sleep. */
  settle(): Promise<void>;
  dispose(): Promise<void>;
}

export interface MakeOptions {
  /** Open the source through this path (a link to the root, `../alias`) instead of the root's real path. */
  readonly openedThrough?: string | undefined;
}

export type MakeSource = (tree: TreeSpec, o?: MakeOptions) => Promise<SourceUnderTest>;

/** One statement about every source. `run` rejects with an assertion error when it does not hold. */
export interface ConformanceCase {
  readonly name: string;
  run(make: MakeSource): Promise<void>;
}

/** Makes a case: lays the tree, runs the statement, and always disposes. */
export function statement(
  name: string,
  tree: TreeSpec,
  check: (made: SourceUnderTest) => Promise<void>,
  o: MakeOptions = {},
): ConformanceCase {
  return {
    name,
    async run(make) {
      const made = await make(tree, o);
      try {
        await check(made);
      } finally {
        await made.dispose();
      }
    },
  };
}

export const inside: ReadOptions = { maxBytes: 262_144, links: 'inside' };
export const anywhere: ReadOptions = { maxBytes: 262_144, links: 'anywhere' };

export function pathOf(text: string): ProjectPath {
  return parseProjectPath(text) ?? fail(`${text} is not a project path`);
}

/** The native path rules of the source, by the spelling of its root. */
export function nativePaths(source: FileSource): typeof posix {
  return /^(?:[A-Za-z]:|\\\\)/.test(source.root) ? win32 : posix;
}

export function read(made: SourceUnderTest, path: string, o: ReadOptions = inside): Promise<ReadOutcome> {
  return made.source.read(pathOf(path), o);
}

export function list(made: SourceUnderTest, folder: string, maxEntries = 1_000): Promise<ListOutcome> {
  return made.source.list(pathOf(folder), { maxEntries });
}

export function asFile(outcome: ReadOutcome): FileRead {
  if (outcome.kind === 'file') return outcome;
  return fail(`expected a file, got ${outcome.kind} ${outcome.diagnostic?.code ?? ''}`);
}

export function textOf(outcome: ReadOutcome): string {
  return Buffer.from(asFile(outcome).bytes).toString('utf8');
}

/** Entries in an order of their own, since a source has none. */
export function entriesOf(
  outcome: ListOutcome,
): readonly { name: string; kind: string; linked: boolean; code: string }[] {
  if (outcome.kind !== 'entries') return fail(`expected entries, got ${outcome.kind}`);
  return outcome.entries
    .map(({ name, kind, linked, refusal }) => ({ name, kind, linked, code: refusal?.code ?? '' }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function isAbsent(outcome: ReadOutcome, code: DiagnosticCode | undefined, path: string): void {
  equal(outcome.kind, 'absent');
  isDiagnostic(outcome.kind === 'absent' ? outcome.diagnostic : undefined, code, path);
}

export function isRefused(outcome: ReadOutcome | ListOutcome, code: DiagnosticCode, path: string): void {
  equal(outcome.kind, 'refused');
  isDiagnostic(outcome.kind === 'refused' ? outcome.diagnostic : undefined, code, path);
}

export function isUnavailable(outcome: ReadOutcome | ListOutcome, code: DiagnosticCode, path: string): void {
  equal(outcome.kind, 'unavailable');
  isDiagnostic(outcome.kind === 'unavailable' ? outcome.diagnostic : undefined, code, path);
}

function isDiagnostic(diagnostic: Diagnostic | undefined, code: DiagnosticCode | undefined, path: string): void {
  equal(diagnostic?.code, code);
  if (diagnostic === undefined) return;
  equal(diagnostic.path, path);
  ok(diagnostic.message.length > 0);
}
