import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { SourceRanges } from '@codicil/frontmatter';
import { type Glob, type GlobFinding, parseGlob } from '@codicil/glob-select';
import type { ProjectPath } from '@codicil/project-path';

export type GlobList =
  | { readonly kind: 'globs'; readonly globs: readonly Glob[]; readonly diagnostics: readonly Diagnostic[] }
  /** One bad glob refuses them all. */
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

/** The items of a `paths` list as globs. Each fault and doubt is told where it stands. */
export function readGlobs(
  path: ProjectPath,
  texts: readonly string[],
  ranges: SourceRanges,
  maxGlobs: number,
): GlobList {
  if (texts.length > maxGlobs) return { kind: 'invalid', diagnostics: [tooMany(path, texts.length, ranges, maxGlobs)] };
  const globs: Glob[] = [];
  const diagnostics: Diagnostic[] = [];
  let isValid = true;
  for (const [index, text] of texts.entries()) {
    const parsed = parseGlob(text);
    if (parsed.kind === 'glob') globs.push(parsed.glob);
    else isValid = false;
    const findings = parsed.kind === 'glob' ? parsed.warnings : [...parsed.errors, ...parsed.warnings];
    for (const finding of findings) diagnostics.push(diagnosticOf(path, finding, index, ranges));
  }
  return isValid ? { kind: 'globs', globs, diagnostics } : { kind: 'invalid', diagnostics };
}

function diagnosticOf(path: ProjectPath, finding: GlobFinding, index: number, ranges: SourceRanges): Diagnostic {
  const { start, end } = finding.span;
  return diagnostic(finding.code, {
    path,
    message: finding.message,
    hint: finding.hint,
    range: end > start ? ranges.span('paths', index, start, end) : ranges.item('paths', index),
  });
}

function tooMany(path: ProjectPath, count: number, ranges: SourceRanges, maxGlobs: number): Diagnostic {
  return diagnostic('glob_too_long', {
    path,
    message: `the rule has ${count} globs; the limit is ${maxGlobs}`,
    hint: 'Wider globs say the same in fewer lines.',
    range: ranges.key('paths'),
    facts: { globs: count, maxGlobs },
  });
}
