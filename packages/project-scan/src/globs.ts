import { type Diagnostic, diagnostic, type Range } from '@codicil/diagnostics';
import { type Glob, type NearMiss, nearMiss } from '@codicil/glob-select';
import type { ConditionalRule } from '@codicil/instruction-modules';
import type { ProjectPath } from '@codicil/project-path';
import type { ProjectListing } from './listing.ts';
import type { ModuleReach } from './reach.ts';

/** What the globs that match no file were probably meant to say. Nothing is said of one that could match in a folder that was not listed. */
export function globFindings(
  rules: readonly { readonly rule: ConditionalRule; readonly reach: ModuleReach }[],
  listing: ProjectListing,
): readonly Diagnostic[] {
  return rules.flatMap(({ rule, reach }) => {
    if (reach.globs.every(({ files }) => files > 0)) return [];
    const ranges = rule.globRanges();
    return reach.globs.flatMap(({ glob, files }) => {
      if (files > 0) return [];
      const nearest = nearMiss(glob, listing.files);
      if (nearest === undefined && listing.notListed.some((folder) => mayReach(glob, folder))) return [];
      return [findingOf(rule.module.relPath, glob, nearest, ranges[rule.globs.indexOf(glob)])];
    });
  });
}

/** Whether the glob could match a path below the folder, judged by the segments before its first wildcard. */
function mayReach(glob: Glob, folder: ProjectPath): boolean {
  const literal = glob.split('/').slice(0, -1);
  const wild = literal.findIndex((segment) => /[*?]/.test(segment));
  const fixed = wild === -1 ? literal : literal.slice(0, wild);
  const names = folder === '' ? [] : folder.split('/');
  return (wild !== -1 || fixed.length >= names.length) && names.every((name, index) => (fixed[index] ?? name) === name);
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
