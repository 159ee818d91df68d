export type {
  Condition,
  ConditionalRule,
  Explanation,
  InstructionModule,
  InstructionResolver,
  Inventory,
  InventoryOptions,
  InventoryResolver,
  LinkTouch,
  ModuleStatus,
  NotApplied,
  Resolution,
  ResolveOptions,
} from './contract.ts';
export { defaultLayout, type Layout } from './layout/layout.ts';
export type { Places } from './layout/places.ts';
export { createInstructionResolver, type ResolverOptions } from './resolver.ts';
