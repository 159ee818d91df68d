import { ROOT } from '@codicil/project-path';
import type { Call } from './call.ts';
import type { InstructionModule, Resolution } from './contract.ts';
import { type FreshRule, readFresh, ruleDiagnostics } from './delivery.ts';
import { findDuplicates } from './duplicates.ts';
import { type FolderFinding, findRoot } from './nested.ts';
import { orderDiagnostics } from './order.ts';
import type { RulesState } from './rules-state.ts';

export interface Startup extends Resolution {
  readonly root: FolderFinding;
  readonly fresh: readonly FreshRule[];
}

/** The root file, then the unconditional rules by path. */
export async function resolveStartup(call: Call, rules: RulesState): Promise<Startup> {
  const root = await findRoot(call, ROOT);
  const unconditional = rules.rows.filter(
    ({ reading }) => reading.kind === 'module' && reading.condition.kind === 'always',
  );
  const fresh = await readFresh(call, unconditional);
  const modules: InstructionModule[] = root.kind === 'module' ? [root.module] : [];
  for (const { module } of fresh) if (module?.condition.kind === 'always') modules.push(module);
  return {
    modules,
    root,
    fresh,
    diagnostics: orderDiagnostics([
      ...root.diagnostics,
      ...rules.folderDiagnostics,
      ...ruleDiagnostics(rules.noted, fresh),
      ...rules.duplicates,
      ...findDuplicates(modules),
    ]),
  };
}
