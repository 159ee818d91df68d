import { type Diagnostic, type DiagnosticCode, diagnostic } from '@codicil/diagnostics';
import { Block } from './block.ts';
import { findLineFaults } from './block-faults.ts';
import { parseBlock } from './document.ts';
import { Entries } from './entries.ts';
import type { Frontmatter, Schema, SchemaIssue, SourceRanges } from './outcome.ts';
import { type PlainList, readPlainList } from './plain-list.ts';
import { splitFrontmatter } from './split.ts';
import { bufferOf, checkText } from './text.ts';
import { findUnknownKeys } from './unknown-keys.ts';

/** A block that is larger is refused without a look into it: 16 KiB. */
export const DEFAULT_MAX_BLOCK_BYTES: number = 16_384;

/** How an issue of the caller's schema is told. */
export interface IssueDescription {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface FrontmatterOptions<T> {
  /** Project-relative; it names the file in diagnostics. */
  readonly path: string;
  /** Asked for at first need, so that a schema library need not be loaded for the plain shape. */
  readonly schema: () => Schema<T>;
  /** Every key that the block may carry. */
  readonly knownKeys: readonly string[];
  /** {@link DEFAULT_MAX_BLOCK_BYTES} where it is left out. */
  readonly maxBlockBytes?: number | undefined;
  /** What people write where they mean a known key; the hint names that key. Letter case is ignored. */
  readonly likelyKeys?: Readonly<Record<string, string>> | undefined;
  /**
   * Turns the plain shape, one known key with a list of one string or more, into data without the schema. It must answer what the schema would;
   * `undefined` hands the value on to the schema.
   */
  readonly acceptPlainList?: ((key: string, items: readonly string[]) => T | undefined) | undefined;
  /** Names an issue's code and words; `value` is what stands at its path. `frontmatter_yaml` with the issue's own words where it is left out. */
  readonly describeIssue?: ((issue: SchemaIssue, value: unknown) => IssueDescription) | undefined;
}

/**
 * Splits, parses and validates, strictly: whatever is not certain is `invalid`, with every fault that can be told at once (F2).
 * Total for any bytes: linear in them, and the part that is parsed is bounded by `maxBlockBytes` (F3). Throws only what the caller's functions throw.
 */
export function parseFrontmatter<T>(bytes: Uint8Array, o: FrontmatterOptions<T>): Frontmatter<T> {
  const notText = checkText(bytes, o.path);
  if (notText.length > 0) return { kind: 'invalid', diagnostics: notText };
  const maxBlockBytes = o.maxBlockBytes ?? DEFAULT_MAX_BLOCK_BYTES;
  const split = splitFrontmatter(bytes, { path: o.path, maxBlockBytes, knownKeys: o.knownKeys });
  if (split.kind === 'invalid') return split;
  if (split.kind === 'none') return { ...split, diagnostics: [] };

  const { blockStart, blockEnd, bodyStart } = split;
  const block = new Block(bufferOf(bytes).toString('utf8', blockStart, blockEnd), o.path);
  const plain = readPlainList(block.text, o.knownKeys);
  if (plain !== undefined) {
    const data = acceptPlain(plain, o);
    if (data !== undefined) {
      return { kind: 'data', data: data.value, bodyStart, diagnostics: [], ranges: new PlainRanges(plain, block) };
    }
  }
  return parseSlowly(block, bodyStart, o);
}

function acceptPlain<T>(plain: PlainList, o: FrontmatterOptions<T>): { readonly value: T } | undefined {
  const accepted = o.acceptPlainList?.(plain.key, plain.items);
  if (accepted !== undefined) return { value: accepted };
  const result = o.schema().safeParse({ [plain.key]: [...plain.items] });
  return result.success ? { value: result.data } : undefined;
}

class PlainRanges implements SourceRanges {
  readonly #plain: PlainList;
  readonly #block: Block;

  constructor(plain: PlainList, block: Block) {
    this.#plain = plain;
    this.#block = block;
  }

  key(key: string): ReturnType<SourceRanges['key']> {
    const { keyStart } = this.#plain;
    return key === this.#plain.key ? this.#block.range(keyStart, keyStart + key.length) : undefined;
  }

  item(key: string, index: number): ReturnType<SourceRanges['item']> {
    const span = key === this.#plain.key ? this.#plain.spans[index] : undefined;
    if (span === undefined) return undefined;
    const quote = /["']/.test(this.#block.text[span[0] - 1] ?? '') ? 1 : 0;
    return this.#block.range(span[0] - quote, span[1] + quote);
  }

  span(key: string, index: number, start: number, end: number): ReturnType<SourceRanges['span']> {
    const span = key === this.#plain.key ? this.#plain.spans[index] : undefined;
    return span === undefined ? undefined : this.#block.range(span[0] + start, span[0] + end);
  }
}

function parseSlowly<T>(block: Block, bodyStart: number, o: FrontmatterOptions<T>): Frontmatter<T> {
  const lineFaults = findLineFaults(block);
  if (lineFaults.length > 0) return { kind: 'invalid', diagnostics: lineFaults };
  const parsed = parseBlock(block);
  if (parsed.isEmpty) return { kind: 'none', bodyStart, diagnostics: [] };
  if (parsed.map === undefined || parsed.document === undefined) return invalid(parsed.faults);

  const entries = new Entries(parsed.map, parsed.document, block);
  const brokenLines = new Set(parsed.faults.map((fault) => fault.range?.start.line));
  // What stands further right on a line with broken syntax is a fragment, and no key that anyone wrote.
  const unknown = findUnknownKeys(entries, block, o.knownKeys, o.likelyKeys ?? {}).filter(
    ({ range }) => parsed.isReadable || range?.start.column === 1 || !brokenLines.has(range?.start.line),
  );
  const warnings = entries.findCutItems(o.knownKeys);
  const faults = [...parsed.faults, ...unknown];
  if (!parsed.isReadable) return invalid([...faults, ...warnings]);

  const value = entries.values(o.knownKeys);
  const result = o.schema().safeParse(value);
  if (!result.success) faults.push(...describeIssues(result.error.issues, value, entries, unknown.length > 0, o));
  if (faults.length > 0 || !result.success) return invalid([...faults, ...warnings]);
  return { kind: 'data', data: result.data, bodyStart, diagnostics: warnings, ranges: entries };
}

function invalid(diagnostics: readonly Diagnostic[]): {
  readonly kind: 'invalid';
  readonly diagnostics: readonly Diagnostic[];
} {
  return { kind: 'invalid', diagnostics };
}

function describeIssues<T>(
  issues: readonly SchemaIssue[],
  value: object,
  entries: Entries,
  hasUnknownKeys: boolean,
  o: FrontmatterOptions<T>,
): readonly Diagnostic[] {
  const told = issues.filter((issue) => {
    // A key that is missing because another one was written is told once, by the unknown one.
    const [key] = issue.path;
    return !(hasUnknownKeys && (key === undefined || !Object.hasOwn(value, key)));
  });
  return told.map((issue) => {
    const at = valueAt(value, issue.path);
    const { code, message, hint } = o.describeIssue?.(issue, at) ?? {
      code: 'frontmatter_yaml',
      message: `${issue.path.map(String).join('.') || 'the frontmatter'}: ${issue.message}`,
    };
    return diagnostic(code, { path: o.path, message, hint, range: entries.rangeOf(issue.path) });
  });
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
