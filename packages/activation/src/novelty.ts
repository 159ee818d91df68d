import type { Diagnostic } from '@codicil/diagnostics';
import type { Resolution } from '@codicil/instruction-modules';

/**
 * Lets each diagnostic through once a cause: again only after its file was seen without it. The memory is for logs alone; no
 * delivery depends on it.
 */
export function createNovelty(): (resolution: Resolution) => readonly Diagnostic[] {
  const known = new Map<string, Set<string>>();
  return ({ modules, diagnostics }) => {
    const now = new Map<string, Set<string>>();
    const fresh: Diagnostic[] = [];
    for (const found of diagnostics) {
      const key = `${found.code} ${found.range?.start.line ?? 0} ${found.message}`;
      const keys = now.get(found.path) ?? new Set();
      now.set(found.path, keys);
      if (keys.has(key)) continue;
      keys.add(key);
      if (!known.get(found.path)?.has(key)) fresh.push(found);
    }
    for (const module of modules) known.delete(module.relPath);
    for (const [path, keys] of now) known.set(path, keys);
    return fresh;
  };
}
