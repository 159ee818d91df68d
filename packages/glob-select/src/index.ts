export type { GlobErrorCode, GlobFinding, GlobWarningCode } from './finding.ts';
export { type NearMiss, nearMiss } from './near-miss.ts';
export { type Glob, MAX_GLOB_LENGTH, type ParsedGlob, parseGlob } from './parse.ts';
export { createSelector, type GlobMatch, matchesGlob, type Selector, type SelectorOptions } from './selector.ts';
