export { type Glob, type GlobLimits, parseGlob, parseGlobs, type ParsedGlob } from './parse.ts';
export { createSelector, type GlobMatch, matchesGlob, type Selector, type SelectorOptions } from './selector.ts';
