import { hash } from 'node:crypto';
import type { ActivationResolver } from '@codicil/activation';
import type { InstructionModule, ModuleStatus, Resolution } from '@codicil/instruction-modules';
import { compareCodePoints, parseProjectPath } from '@codicil/project-path';

/** A resolver over a handful of texts in memory: a module applies to every touch in or below its folder. */
export class World implements ActivationResolver {
  readonly texts: Map<string, string> = new Map();
  readonly silent: Set<string> = new Set();
  rejection: unknown;
  calls = 0;

  set(relPath: string, content: string): void {
    this.texts.set(relPath, content);
  }

  async forPaths(paths: readonly string[]): Promise<Resolution> {
    this.calls++;
    if (this.rejection !== undefined) throw this.rejection;
    const modules: InstructionModule[] = [];
    for (const [relPath, content] of [...this.texts].sort(([a], [b]) => compareCodePoints(a, b))) {
      const folder = relPath.slice(0, relPath.lastIndexOf('/') + 1);
      if (this.silent.has(relPath) || !paths.some((path) => path.startsWith(folder))) continue;
      modules.push(moduleOf(relPath, content));
    }
    return { modules, unavailable: [], diagnostics: [] };
  }

  async status(relPaths: readonly string[]): Promise<readonly ModuleStatus[]> {
    return relPaths.map((relPath) => {
      if (this.silent.has(relPath)) return { kind: 'unknown' };
      return this.texts.has(relPath) ? { kind: 'current' } : { kind: 'absent' };
    });
  }
}

export function moduleOf(relPath: string, content: string): InstructionModule {
  const path = parseProjectPath(relPath);
  if (path === undefined) throw new Error(`not a project path: ${relPath}`);
  return { relPath: path, origin: 'nested', condition: { kind: 'always' }, content, sha256: hash('sha256', content) };
}
