import { createRequire } from 'node:module';
import type { IssueDescription, Schema, SchemaIssue } from '@codicil/frontmatter';
import { parseGlob } from '@codicil/glob-select';
import type { z } from 'zod';

/** What the frontmatter of a rule may hold. */
export interface RuleFrontmatter {
  readonly paths: readonly string[];
}

let schema: Schema<RuleFrontmatter> | undefined;

/** Built at first need: nearly every rule has the plain shape, which asks for no schema. */
export function ruleSchema(): Schema<RuleFrontmatter> {
  schema ??= buildSchema((createRequire(import.meta.url)('zod') as { readonly z: typeof z }).z);
  return schema;
}

/** Bad globs are issues here too: beside another fault of the block they would not be read at all, and one run names everything. */
function buildSchema(zod: typeof z): Schema<RuleFrontmatter> {
  const items = zod
    .array(zod.unknown())
    .min(1)
    .superRefine((list, context) => {
      for (const [index, item] of list.entries()) {
        if (typeof item === 'string' && parseGlob(item).kind === 'glob') continue;
        context.addIssue({ code: 'custom', path: [index], message: 'not a glob' });
      }
    });
  return zod.object({ paths: items.transform((list) => list.map(String)) });
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
