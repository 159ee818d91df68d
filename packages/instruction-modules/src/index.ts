export type {
  Condition,
  Explanation,
  InstructionModule,
  InstructionResolver,
  ModuleStatus,
  NotApplied,
  Resolution,
  ResolveOptions,
} from './contract.ts';
export { globRanges } from './glob-ranges.ts';
export { defaultLayout, type Layout } from './layout.ts';
export { createInstructionResolver, type ResolverOptions } from './resolver.ts';
