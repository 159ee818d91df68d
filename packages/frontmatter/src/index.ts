export {
  DEFAULT_MAX_BLOCK_BYTES,
  type FrontmatterOptions,
  type IssueDescription,
  parseFrontmatter,
} from './frontmatter.ts';
export type { Frontmatter, Schema, SchemaIssue, SourceRanges, Split } from './outcome.ts';
export { type SplitOptions, splitFrontmatter } from './split.ts';
export { byteOrderMarkLength, checkText } from './text.ts';
