import { ROOT } from '@codicil/project-path';
import type { InstructionModule, Resolution } from '../contract.ts';
import type { RulesState } from '../discovery/rules-state.ts';
import { orderDiagnostics } from '../layout/order.ts';
import { type FolderFinding, findRoot } from '../nested/nested.ts';
import { findDuplicates } from '../text/duplicates.ts';
import type { Call } from './call.ts';
import { type FreshRule, readFresh, ruleDiagnostics } from './delivery.ts';
import { unavailableIn } from './unavailable.ts';

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
    unavailable: unavailableIn(rules, fresh, [root], []),
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
