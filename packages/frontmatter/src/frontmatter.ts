import { boundDiagnostics, type Diagnostic, diagnostic } from '@codicil/diagnostics';
import { Block } from './block.ts';
import { findLineFaults } from './block-faults.ts';
import { loadYaml, parseBlock } from './document.ts';
import { Entries } from './entries.ts';
import type { Advise, Frontmatter, IssueDescription, SourceRanges } from './outcome.ts';
import { type PlainList, readPlainList } from './plain-list.ts';
import { splitFrontmatter } from './split.ts';
import { issuesOf, type Schema, type SchemaIssue } from './standard-schema.ts';
import { bufferOf, checkText } from './text.ts';
import { findUnknownKeys } from './unknown-keys.ts';

/** A block that is larger is refused without a look into it: 16 KiB. */
export const DEFAULT_MAX_BLOCK_BYTES: number = 16_384;

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
  /** Keys of other formats that prove a fence out of place to be one, beside the known ones. */
  readonly tellingKeys?: readonly string[] | undefined;
  /**
   * Turns the plain shape, one known key with a list of one string or more, into data without the schema. It must answer what the schema would;
   * `undefined` hands the value on to the schema.
   */
  readonly acceptPlainList?: ((key: string, items: readonly string[]) => T | undefined) | undefined;
  /** Names an issue's code and words; `value` is what stands at its path. `frontmatter_yaml` with the issue's own words where it is left out. */
  readonly describeIssue?: ((issue: SchemaIssue, value: unknown) => IssueDescription) | undefined;
  /** Better words for what YAML reads in another way than was meant; plain ones where it is left out or answers `undefined`. */
  readonly advise?: Advise | undefined;
  /** Names a value without quotes that a YAML comment ends. Nothing is said where it is left out: most comments are meant. */
  readonly describeCut?: ((value: string) => IssueDescription | undefined) | undefined;
}

/**
 * Splits, parses and validates, strictly: whatever is not certain is `invalid`, with every fault that can be told at once (F2).
 * Total for any bytes: linear in them, and the part that is parsed is bounded by `maxBlockBytes` (F3). Rejects only with what the caller's functions
 * throw. The YAML parser is loaded at the first block that needs it.
 */
export function parseFrontmatter<T>(bytes: Uint8Array, o: FrontmatterOptions<T>): Promise<Frontmatter<T>> {
  try {
    const read = readPlain(bytes, o);
    return read instanceof Unread ? parseSlowly(read, bytes, o) : Promise.resolve(read);
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * What {@link parseFrontmatter} answers, at once, for a source without a block, with a block of the plain shape, or with a fault outside the block;
 * `undefined` where the YAML parser, or a schema that answers later, is needed for the answer. For callers with many files.
 */
export function readPlainFrontmatter<T>(bytes: Uint8Array, o: FrontmatterOptions<T>): Frontmatter<T> | undefined {
  const read = readPlain(bytes, o);
  return read instanceof Unread ? undefined : read;
}

/** A block that is left to the parser. */
class Unread {
  readonly block: Block;
  readonly bodyStart: number;

  constructor(block: Block, bodyStart: number) {
    this.block = block;
    this.bodyStart = bodyStart;
  }
}

function readPlain<T>(bytes: Uint8Array, o: FrontmatterOptions<T>): Frontmatter<T> | Unread {
  const notText = checkText(bytes, o.path);
  if (notText.length > 0) return invalid(notText);
  const { path, advise, knownKeys } = o;
  const maxBlockBytes = o.maxBlockBytes ?? DEFAULT_MAX_BLOCK_BYTES;
  const tellingKeys = o.tellingKeys === undefined ? knownKeys : [...knownKeys, ...o.tellingKeys];
  const split = splitFrontmatter(bytes, { path, maxBlockBytes, tellingKeys, advise });
  if (split.kind === 'invalid') return split;
  if (split.kind === 'none') return noneOutcome(bytes, split.bodyStart);

  const { blockStart, blockEnd, bodyStart } = split;
  const block = new Block(bufferOf(bytes).toString('utf8', blockStart, blockEnd), path);
  const plain = readPlainList(block.text, knownKeys);
  const data = plain === undefined ? undefined : acceptPlain(plain, o);
  if (plain === undefined || data === undefined) return new Unread(block, bodyStart);
  return dataOutcome(data.value, bytes, bodyStart, [], new PlainRanges(plain, block));
}

function noneOutcome(bytes: Uint8Array, bodyStart: number): Extract<Frontmatter<never>, { kind: 'none' }> {
  return {
    kind: 'none',
    bodyStart,
    get body() {
      return bodyOf(bytes, bodyStart);
    },
    diagnostics: [],
  };
}

function dataOutcome<T>(
  data: T,
  bytes: Uint8Array,
  bodyStart: number,
  diagnostics: readonly Diagnostic[],
  ranges: SourceRanges,
): Extract<Frontmatter<T>, { kind: 'data' }> {
  return {
    kind: 'data',
    data,
    bodyStart,
    get body() {
      return bodyOf(bytes, bodyStart);
    },
    diagnostics,
    ranges,
  };
}

function bodyOf(bytes: Uint8Array, bodyStart: number): string {
  return bufferOf(bytes).toString('utf8', bodyStart);
}

function acceptPlain<T>(plain: PlainList, o: FrontmatterOptions<T>): { readonly value: T } | undefined {
  const accepted = o.acceptPlainList?.(plain.key, plain.items);
  if (accepted !== undefined) return { value: accepted };
  const result = o.schema()['~standard'].validate({ [plain.key]: [...plain.items] });
  return result instanceof Promise || result.issues !== undefined ? undefined : { value: result.value };
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

async function parseSlowly<T>(
  { block, bodyStart }: Unread,
  bytes: Uint8Array,
  o: FrontmatterOptions<T>,
): Promise<Frontmatter<T>> {
  const lineFaults = findLineFaults(block);
  if (lineFaults.length > 0) return invalid(lineFaults);
  const yaml = await loadYaml();
  const parsed = parseBlock(block, yaml, o.advise ?? (() => undefined));
  if (parsed.isEmpty) return noneOutcome(bytes, bodyStart);
  if (parsed.map === undefined || parsed.document === undefined) return invalid(parsed.faults);

  const entries = new Entries(parsed.map, parsed.document, block, yaml);
  const brokenLines = new Set(parsed.faults.map((fault) => fault.range?.start.line));
  // What stands further right on a line with broken syntax is a fragment, and no key that anyone wrote.
  const unknown = findUnknownKeys(entries, block, o.knownKeys, o.likelyKeys ?? {}, yaml).filter(
    ({ range }) => parsed.isReadable || range?.start.column === 1 || !brokenLines.has(range?.start.line),
  );
  const warnings = o.describeCut === undefined ? [] : entries.findCutItems(o.knownKeys, o.describeCut);
  const faults = [...parsed.faults, ...unknown];
  if (!parsed.isReadable) return invalid([...faults, ...warnings]);

  const value = entries.values(o.knownKeys);
  const result = await o.schema()['~standard'].validate(value);
  if (result.issues !== undefined)
    faults.push(...describeIssues(issuesOf(result), value, entries, unknown.length > 0, o));
  if (faults.length > 0 || result.issues !== undefined) return invalid([...faults, ...warnings]);
  return dataOutcome(result.value, bytes, bodyStart, boundDiagnostics(warnings), entries);
}

function invalid(diagnostics: readonly Diagnostic[]): {
  readonly kind: 'invalid';
  readonly diagnostics: readonly Diagnostic[];
} {
  return { kind: 'invalid', diagnostics: boundDiagnostics(diagnostics) };
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
      message: `the value of ${issue.path.length === 0 ? 'the frontmatter' : `\`${issue.path.map(String).join('.')}\``} does not fit: ${issue.message.replace(/[\s.]+$/, '')}`,
      hint: 'Correct the value.',
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
