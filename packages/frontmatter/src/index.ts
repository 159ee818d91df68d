export {
  DEFAULT_MAX_BLOCK_BYTES,
  type FrontmatterOptions,
  parseFrontmatter,
  readPlainFrontmatter,
} from './frontmatter.ts';
export type { Advice, Advise, Body, Frontmatter, IssueDescription, Slip, SourceRanges, Split } from './outcome.ts';
export { type SplitOptions, splitFrontmatter } from './split.ts';
export type { Schema, SchemaIssue, SchemaResult } from './standard-schema.ts';
export { byteOrderMarkLength, checkText } from './text.ts';
