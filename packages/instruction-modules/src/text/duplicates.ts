import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { ProjectPath } from '@codicil/project-path';

interface Body {
  readonly relPath: ProjectPath;
  readonly sha256: string;
}

/** Of no text at all: two empty modules repeat nothing. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** A warning at each body that was seen under an earlier path. */
export function findDuplicates(bodies: Iterable<Body>): readonly Diagnostic[] {
  const first = new Map<string, ProjectPath>();
  const diagnostics: Diagnostic[] = [];
  for (const { relPath, sha256 } of bodies) {
    const original = first.get(sha256);
    if (original === undefined) first.set(sha256, relPath);
    else if (sha256 !== EMPTY && original !== relPath) diagnostics.push(duplicateOf(original, relPath));
  }
  return diagnostics;
}

function duplicateOf(original: ProjectPath, path: ProjectPath): Diagnostic {
  return diagnostic('module_duplicate_content', {
    path,
    message: `the body is the same as that of ${original}, so the model may read it twice`,
    hint: 'Keep one of the two, or give the other its own text.',
    facts: { original },
  });
}
