import { type Diagnostic, diagnostic, type Range } from '@codicil/diagnostics';
import type { FileSource } from '@codicil/file-source';
import { type Glob, type NearMiss, nearMiss } from '@codicil/glob-select';
import { globRanges, type Layout } from '@codicil/instruction-modules';
import type { ProjectPath } from '@codicil/project-path';
import type { ModuleReach } from './reach.ts';

export interface GlobFindingsOptions {
  readonly source: FileSource;
  readonly layout: Layout;
  readonly signal?: AbortSignal | undefined;
}

/** What the globs that match no file were probably meant to say. */
export async function globFindings(
  modules: readonly ModuleReach[],
  files: readonly ProjectPath[],
  o: GlobFindingsOptions,
): Promise<readonly Diagnostic[]> {
  const findings: Diagnostic[] = [];
  for (const { relPath, globs } of modules) {
    const idle = globs.filter((glob) => glob.files === 0);
    if (idle.length === 0) continue;
    const ranges = await rangesIn(relPath, o);
    for (const { glob } of idle) {
      const index = globs.findIndex((other) => other.glob === glob);
      findings.push(findingOf(relPath, glob, nearMiss(glob, files), ranges[index]));
    }
  }
  return findings;
}

async function rangesIn(relPath: ProjectPath, o: GlobFindingsOptions): Promise<readonly (Range | undefined)[]> {
  const outcome = await o.source.read(relPath, { maxBytes: o.layout.maxFileBytes, links: 'inside', signal: o.signal });
  return outcome.kind === 'file' ? globRanges(relPath, outcome.bytes, o.layout) : [];
}

function findingOf(path: ProjectPath, glob: Glob, nearest: NearMiss | undefined, range: Range | undefined): Diagnostic {
  const facts = { glob, ...(nearest === undefined ? {} : { nearest: nearest.path }) };
  switch (nearest?.reason) {
    case 'case':
      return diagnostic('glob_case_mismatch', {
        path,
        range,
        facts,
        message: `the glob \`${glob}\` matches no file; it would match ${nearest.path} if letter case did not count`,
        hint: 'Write the letters as the files have them.',
      });
    case 'unicode':
      return diagnostic('glob_unicode_mismatch', {
        path,
        range,
        facts,
        message: `the glob \`${glob}\` matches no file; ${nearest.path} looks the same and is written with other code points`,
        hint: 'Copy the name from a listing of the folder.',
      });
    case 'below':
      return diagnostic('glob_root_only', {
        path,
        range,
        facts,
        message: `the glob \`${glob}\` looks at the root alone and matches no file there; it would match ${nearest.path}`,
        hint: `Write "**/${glob}" to match in every folder.`,
      });
    case undefined:
      return diagnostic('glob_matches_nothing', {
        path,
        range,
        facts,
        message: `the glob \`${glob}\` matches no file of the project`,
        hint: 'Correct it, or remove it when the files are gone for good.',
      });
  }
}
