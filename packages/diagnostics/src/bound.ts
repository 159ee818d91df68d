import { type Diagnostic, diagnostic } from './diagnostic.ts';

/** A hostile file gives thousands of one kind; a person mends a few and looks again. */
const MAX_OF_ONE_CODE = 20;

/**
 * Of each code at each path the first 20, and one more that counts the rest (`facts.more`), in the place of the first that it stands for. A rest of
 * one is told itself. To bound a list twice changes nothing.
 */
export function boundDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= MAX_OF_ONE_CODE + 1) return diagnostics;
  const counts = new Map<string, number>();
  for (const found of diagnostics) counts.set(keyOf(found), (counts.get(keyOf(found)) ?? 0) + 1);
  const told = new Map<string, number>();
  const bounded: Diagnostic[] = [];
  for (const found of diagnostics) {
    const key = keyOf(found);
    const count = counts.get(key) ?? 0;
    const place = told.get(key) ?? 0;
    told.set(key, place + 1);
    if (place < MAX_OF_ONE_CODE || count <= MAX_OF_ONE_CODE + 1) bounded.push(found);
    else if (place === MAX_OF_ONE_CODE) bounded.push(restOf(found, count - MAX_OF_ONE_CODE));
  }
  return bounded;
}

const keyOf = ({ code, path }: Diagnostic): string => `${code}\0${path}`;

function restOf({ code, path, range }: Diagnostic, more: number): Diagnostic {
  return diagnostic(code, {
    path,
    range,
    message: `${more} more of this kind, from here on`,
    hint: 'Mend the first ones and look again.',
    facts: { more },
  });
}
