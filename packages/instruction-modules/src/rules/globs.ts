import { boundDiagnostics, type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { SourceRanges } from '@codicil/frontmatter';
import { type Glob, type GlobFinding, parseGlob } from '@codicil/glob-select';
import type { ProjectPath } from '@codicil/project-path';
import { findHiddenCharacters, type HiddenCharacters } from '../text/hidden-characters.ts';

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
    const hidden = findHiddenCharacters(text);
    if (hidden !== undefined) diagnostics.push(hiddenIn(path, hidden, index, ranges));
  }
  const bounded = boundDiagnostics(diagnostics);
  return isValid ? { kind: 'globs', globs, diagnostics: bounded } : { kind: 'invalid', diagnostics: bounded };
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

function hiddenIn(path: ProjectPath, hidden: HiddenCharacters, index: number, ranges: SourceRanges): Diagnostic {
  return diagnostic('hidden_characters', {
    path,
    message: `a glob holds a character that a reader does not see (${hidden.characters.join(', ')})`,
    hint: 'Type the glob anew: a file whose name lacks the character is not matched.',
    range: ranges.span('paths', index, hidden.index, hidden.index + hidden.length),
    facts: { characters: hidden.characters, count: hidden.count },
  });
}

function tooMany(path: ProjectPath, count: number, ranges: SourceRanges, maxGlobs: number): Diagnostic {
  return diagnostic('glob_too_long', {
    path,
    message: `the rule has ${count} globs; the limit is ${maxGlobs}`,
    hint: 'Use wider globs: they say the same in fewer lines.',
    range: ranges.key('paths'),
    facts: { globs: count, maxGlobs },
  });
}
