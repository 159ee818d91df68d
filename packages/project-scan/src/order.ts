import type { Diagnostic } from '@codicil/diagnostics';
import { compareCodePoints } from '@codicil/project-path';

/** By path, then place, then code: the same tree gives the same report. */
export function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return [...diagnostics]
    .filter((found) => {
      const key = `${found.path}\0${found.code}\0${found.range?.start.line ?? 0}:${found.range?.start.column ?? 0}\0${found.message}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .sort(
      (a, b) =>
        compareCodePoints(a.path, b.path) ||
        (a.range?.start.line ?? 0) - (b.range?.start.line ?? 0) ||
        (a.range?.start.column ?? 0) - (b.range?.start.column ?? 0) ||
        compareCodePoints(a.code, b.code),
    );
}
