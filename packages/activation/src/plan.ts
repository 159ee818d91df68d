import type { InstructionModule, ModuleStatus } from '@codicil/instruction-modules';
import {
  activeVersion,
  type DeliveredInstruction,
  type InstructionsRecord,
  type Projection,
  type Sha256,
} from '@codicil/journal-records';
import { type RenderedItem, type RenderOptions, renderInstructions } from './render.ts';

/** Where a module that an earlier delivery brought stands now. */
export interface CheckedModule {
  readonly relPath: string;
  readonly status: ModuleStatus;
}

export type DeliveryPlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'append'; readonly record: InstructionsRecord };

/**
 * The paths that a delivery must ask about: brought by a record that is still in the context, and not among what is about to be sent. The
 * startup set is not theirs: it stays as it was read until the session starts anew.
 */
export function pathsToCheck(modules: readonly InstructionModule[], projection: Projection): readonly string[] {
  const resolved = new Set<string>(modules.map((module) => module.relPath));
  const paths: string[] = [];
  for (const [relPath, version] of projection.delivered) {
    if (version.sha256 !== null && !resolved.has(relPath)) paths.push(relPath);
  }
  return paths.sort();
}

export interface PlanOptions extends RenderOptions {
  /** The touches that the delivery answers. */
  readonly settles?: readonly string[] | undefined;
  readonly asClaim?: boolean | undefined;
}

/** Decides what a delivery must append. Pure: the same inputs give the same record, byte for byte. */
export function planDelivery(
  modules: readonly InstructionModule[],
  checked: readonly CheckedModule[],
  projection: Projection,
  o: PlanOptions = {},
): DeliveryPlan {
  const items: RenderedItem[] = [];
  const instructions: DeliveredInstruction[] = [];
  const removed: { relPath: string; successor: string | null }[] = [];
  const inForce = new Set<string>(modules.map((module) => module.relPath));

  for (const { relPath, status } of checked) {
    const version = projection.delivered.get(relPath);
    if (version === undefined || version.sha256 === null || inForce.has(relPath)) continue;
    if (status.kind === 'absent') removed.push({ relPath, successor: null });
    // A successor that the model cannot see yet would leave it with neither text: the old one stays until that one is sent.
    if (status.kind === 'shadowed' && (inForce.has(status.by) || activeVersion(projection, status.by) !== undefined)) {
      removed.push({ relPath, successor: status.by });
    }
  }
  for (const item of removed) items.push({ kind: 'removed', ...item });

  for (const module of modules) {
    const active = activeVersion(projection, module.relPath);
    if (active === module.sha256) continue;
    instructions.push({ relPath: module.relPath, sha256: module.sha256 as Sha256, supersedes: active ?? null });
    items.push({ kind: 'module', relPath: module.relPath, content: module.content, supersedes: active !== undefined });
  }
  if (items.length === 0) return { kind: 'nothing' };
  return {
    kind: 'append',
    record: {
      kind: 'turn-context',
      context: 'instructions',
      placement: 'after-message',
      text: renderInstructions(items, o),
      details: {
        instructions,
        removed,
        settles: o.settles ?? [],
        ...(o.asClaim === true ? { isClaim: true } : {}),
      },
    },
  };
}
