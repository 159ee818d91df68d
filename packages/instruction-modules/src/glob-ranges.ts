import type { Range } from '@codicil/diagnostics';
import type { ProjectPath } from '@codicil/project-path';
import type { Layout } from './layout.ts';
import { readRuleFrontmatter } from './rule.ts';

/** Where each glob of a rule stands in its source, in the order of its list; empty when the source is not a conditional rule. */
export async function globRanges(
  path: ProjectPath,
  bytes: Uint8Array,
  layout: Layout,
): Promise<readonly (Range | undefined)[]> {
  const frontmatter = await readRuleFrontmatter(path, bytes, layout);
  if (frontmatter.kind !== 'data') return [];
  return frontmatter.data.paths.map((_, index) => frontmatter.ranges.item('paths', index));
}
