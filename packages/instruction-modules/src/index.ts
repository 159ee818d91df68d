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
export { defaultLayout, type Layout } from './layout/layout.ts';
export { createInstructionResolver, type ResolverOptions } from './resolver.ts';
export { globRanges } from './rules/glob-ranges.ts';
