import type { Diagnostic } from '@codicil/diagnostics';
import { compareCodePoints, depthOf, type ProjectPath } from '@codicil/project-path';

/** Above U+FFFF the engine's own order of strings is not the order of code points; below it they are one, and its sort is far faster. */
const BEYOND_ORDER = /[\ud800-\uffff]/;

/** Sorts in place, by code points. */
export function sortCodePoints(texts: string[]): string[] {
  return texts.some((text) => BEYOND_ORDER.test(text)) ? texts.sort(compareCodePoints) : texts.sort();
}

/** The order of what lies in two folders, by depth and then by its own path (invariant R2): a folder's name counts with its slash. */
export function compareFolders(left: ProjectPath, right: ProjectPath): number {
  return depthOf(left) - depthOf(right) || compareCodePoints(`${left}/`, `${right}/`);
}

/** By path; what concerns one path stays in the order it was found, and what was found twice is said once. */
export function orderDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics;
  const distinct = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const key = JSON.stringify([diagnostic.code, diagnostic.path, diagnostic.range, diagnostic.message]);
    if (!distinct.has(key)) distinct.set(key, diagnostic);
  }
  return [...distinct.values()].sort((left, right) => compareCodePoints(left.path, right.path));
}
