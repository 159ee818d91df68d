import { hash } from 'node:crypto';
import type { Diagnostic, Range } from '@codicil/diagnostics';
import type { ReadOutcome } from '@codicil/file-source';
import {
  type Frontmatter,
  type FrontmatterOptions,
  parseFrontmatter,
  readPlainFrontmatter,
} from '@codicil/frontmatter';
import type { Glob } from '@codicil/glob-select';
import type { ProjectPath } from '@codicil/project-path';
import type { Condition } from '../contract.ts';
import type { Layout } from '../layout/layout.ts';
import { ALWAYS } from '../nested/plain-module.ts';
import { bufferOf, inspectBody, inspectName } from '../text/text.ts';
import { adviseOnGlob, describeCutGlob, TELLING_KEYS } from './frontmatter-advice.ts';
import { readGlobs } from './globs.ts';
import type { RuleReading } from './rule-row.ts';
import { describeRuleIssue, type RuleFrontmatter, ruleSchema } from './rule-schema.ts';

/** A rule as it was read: what is remembered of it, and its text while it is at hand. */
export interface ReadRule {
  readonly reading: RuleReading;
  /** The body; `undefined` when there is no module. */
  readonly content: (() => string) | undefined;
  /** Where each of its globs stands in the source, in the order of the list; empty where there is none. */
  readonly globRanges: () => readonly (Range | undefined)[];
}

/** What people write where they mean `paths`: the keys of other tools' rules. */
const LIKELY_KEYS: Readonly<Record<string, string>> = {
  path: 'paths',
  glob: 'paths',
  globs: 'paths',
  applyTo: 'paths',
  apply_to: 'paths',
  pattern: 'paths',
  patterns: 'paths',
  files: 'paths',
  include: 'paths',
};

/**
 * Reads a rule strictly: whatever is wrong with its condition refuses the whole rule (invariant F2). Answers at once where no YAML parser is
 * needed, and that is nearly always: a turn of the event loop for each of thousands of rules would be felt.
 */
export function readRule(path: ProjectPath, outcome: ReadOutcome, layout: Layout): ReadRule | Promise<ReadRule> {
  switch (outcome.kind) {
    case 'absent':
      return unused('absent', outcome.diagnostic === undefined ? [] : [outcome.diagnostic]);
    case 'refused':
    case 'unavailable':
      return unused(outcome.kind, [outcome.diagnostic]);
    case 'file':
      return readText(path, bufferOf(outcome.bytes), layout);
  }
}

function unused(kind: 'absent' | 'refused' | 'unavailable', diagnostics: readonly Diagnostic[]): ReadRule {
  return { reading: { kind, diagnostics }, content: undefined, globRanges: noRanges };
}

/** The block of a rule, before its globs are looked at. */
function readRuleFrontmatter(
  path: ProjectPath,
  bytes: Uint8Array,
  layout: Layout,
): Frontmatter<RuleFrontmatter> | Promise<Frontmatter<RuleFrontmatter>> {
  const options: FrontmatterOptions<RuleFrontmatter> = {
    path,
    schema: ruleSchema,
    knownKeys: ['paths'],
    maxBlockBytes: layout.maxFrontmatterBytes,
    likelyKeys: LIKELY_KEYS,
    acceptPlainList: (_, items) => ({ paths: items }),
    describeIssue: describeRuleIssue,
    tellingKeys: TELLING_KEYS,
    advise: adviseOnGlob,
    describeCut: describeCutGlob,
  };
  return readPlainFrontmatter(bytes, options) ?? parseFrontmatter(bytes, options);
}

function readText(path: ProjectPath, bytes: Buffer, layout: Layout): ReadRule | Promise<ReadRule> {
  const frontmatter = readRuleFrontmatter(path, bytes, layout);
  return frontmatter instanceof Promise
    ? frontmatter.then((read) => ruleOf(path, bytes, read, layout))
    : ruleOf(path, bytes, frontmatter, layout);
}

function ruleOf(path: ProjectPath, bytes: Buffer, frontmatter: Frontmatter<RuleFrontmatter>, layout: Layout): ReadRule {
  if (frontmatter.kind === 'invalid') return unused('refused', frontmatter.diagnostics);
  let condition: Condition = ALWAYS;
  let diagnostics = frontmatter.diagnostics;
  if (frontmatter.kind === 'data') {
    const globs = readGlobs(path, frontmatter.data.paths, frontmatter.ranges, layout.maxGlobs);
    if (globs.diagnostics.length > 0) diagnostics = [...diagnostics, ...globs.diagnostics];
    if (globs.kind === 'invalid') return unused('refused', diagnostics);
    condition = conditionOf(globs.globs);
  }
  const { bodyStart } = frontmatter;
  const body = bytes.subarray(bodyStart);
  const warnings = [...inspectName(path), ...inspectBody(path, bytes, bodyStart)];
  if (warnings.length > 0) diagnostics = [...diagnostics, ...warnings];
  return {
    reading: { kind: 'module', condition, sha256: hash('sha256', body), diagnostics },
    content: () => body.toString('utf8'),
    globRanges: frontmatter.kind === 'data' ? () => rangesOf(frontmatter) : noRanges,
  };
}

const noRanges = (): readonly undefined[] => [];

function rangesOf({
  data,
  ranges,
}: Extract<Frontmatter<RuleFrontmatter>, { kind: 'data' }>): readonly (Range | undefined)[] {
  return data.paths.map((_, index) => ranges.item('paths', index));
}

function conditionOf(globs: readonly Glob[]): Condition {
  return { kind: 'paths', globs };
}
