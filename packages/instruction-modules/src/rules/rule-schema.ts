import type { IssueDescription, Schema, SchemaIssue, SchemaResult } from '@codicil/frontmatter';
import { parseGlob } from '@codicil/glob-select';

/** What the frontmatter of a rule may hold. */
export interface RuleFrontmatter {
  readonly paths: readonly string[];
}

/** Bad globs are issues here too: beside another fault of the block they would not be read at all, and one run names everything. */
const SCHEMA: Schema<RuleFrontmatter> = { '~standard': { version: 1, vendor: 'codicil', validate } };

export function ruleSchema(): Schema<RuleFrontmatter> {
  return SCHEMA;
}

function validate(value: unknown): SchemaResult<RuleFrontmatter> {
  const paths: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'paths') : undefined;
  if (!Array.isArray(paths) || paths.length === 0) {
    return { issues: [{ path: ['paths'], message: 'not a list with an item' }] };
  }
  const globs: string[] = [];
  const issues: { readonly path: readonly PropertyKey[]; readonly message: string }[] = [];
  for (const [index, item] of paths.entries()) {
    if (typeof item === 'string' && parseGlob(item).kind === 'glob') globs.push(item);
    else issues.push({ path: ['paths', index], message: 'not a glob' });
  }
  return issues.length > 0 ? { issues } : { value: { paths: globs } };
}

/** Names what a schema issue means for the person who wrote the rule. */
export function describeRuleIssue(issue: SchemaIssue, value: unknown): IssueDescription {
  if (issue.path.length < 2) return Array.isArray(value) ? EMPTY : notAList(value);
  const parsed = typeof value === 'string' ? parseGlob(value) : undefined;
  const error = parsed?.kind === 'invalid' ? parsed.errors[0] : undefined;
  if (error !== undefined) return { code: error.code, message: error.message, hint: error.hint };
  return {
    code: 'paths_not_a_string',
    message: `an item of \`paths\` is ${nameOf(value)}, not a string`,
    hint: `Put it in quotes: ${JSON.stringify(String(value ?? ''))}.`,
  };
}

const EMPTY: IssueDescription = {
  code: 'paths_empty',
  message: '`paths` is an empty list, so the rule would never apply',
  hint: 'List the globs it is for, or delete the frontmatter: then it always applies.',
};

function notAList(value: unknown): IssueDescription {
  const globs = typeof value === 'string' ? value.split(',').map((glob) => glob.trim()) : [];
  const named = globs.filter((glob) => glob !== '');
  const example = (named.length > 0 ? named : ['src/**']).map((glob) => JSON.stringify(glob)).join(', ');
  return {
    code: 'paths_not_a_list',
    message: value === undefined ? '`paths` is missing' : `\`paths\` is ${nameOf(value)}, not a list`,
    hint: `Write a list: paths: [${example}].`,
  };
}

function nameOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}
