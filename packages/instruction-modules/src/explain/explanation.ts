import type { Explanation, InstructionModule } from '../contract.ts';
import type { RulesState } from '../discovery/rules-state.ts';
import { orderDiagnostics } from '../layout/order.ts';
import type { Call } from '../resolve/call.ts';
import type { Startup } from '../resolve/startup.ts';
import type { Touched } from '../resolve/touched.ts';
import type { Touches } from '../resolve/touches.ts';
import { findDuplicates } from '../text/duplicates.ts';
import { notAppliedOf } from './not-applied.ts';

/** Puts together what startup and the touches gave, and says of every other module why it does not apply. */
export async function explainResolutions(
  call: Call,
  rules: RulesState,
  touches: Touches,
  startup: Startup,
  touched: Touched,
): Promise<Explanation> {
  const delivered = touched.modules.map((module) => ({ module, matched: whyDelivered(module, touches, touched) }));
  const folders = [...new Set(touches.inside.flatMap((touch) => [...touch.folders.keys()]))];
  return {
    startup: startup.modules,
    delivered,
    notApplied: await notAppliedOf(call, rules, startup, touched, folders),
    diagnostics: orderDiagnostics([
      ...startup.diagnostics,
      ...touched.diagnostics,
      ...findDuplicates([...startup.modules, ...touched.modules]),
    ]),
  };
}

function whyDelivered(
  module: InstructionModule,
  touches: Touches,
  touched: Touched,
): Explanation['delivered'][number]['matched'] {
  if (module.origin === 'rule') return touched.matches.get(module.relPath) ?? [];
  const finding = touched.findings.find((found) => found.kind === 'module' && found.module === module);
  if (finding === undefined) return [];
  const names = touches.inside.flatMap((touch) => touch.folders.get(finding.folder) ?? []);
  return [...new Set(names)].map((path) => ({ path, glob: undefined }));
}
