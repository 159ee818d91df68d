import { type Diagnostic, diagnostic, type Range } from '@codicil/diagnostics';
import type { Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Block } from './block.ts';
import type { Yaml } from './document.ts';
import type { IssueDescription, SourceRanges } from './outcome.ts';
import { OPENING_FENCE } from './split.ts';

/** The pairs at the root of a parsed block: their values, and where they stand. */
export class Entries implements SourceRanges {
  readonly pairs: readonly Pair<unknown, unknown>[];
  readonly #document: Document;
  readonly #block: Block;
  readonly #yaml: Yaml;

  constructor(map: YAMLMap<unknown, unknown>, document: Document, block: Block, yaml: Yaml) {
    this.pairs = map.items;
    this.#document = document;
    this.#block = block;
    this.#yaml = yaml;
  }

  /** The values of the known keys alone. A name such as `__proto__` is a key like any other. */
  values(knownKeys: readonly string[]): object {
    const values = {};
    for (const key of knownKeys) {
      const pair = this.#pair(key);
      if (pair === undefined) continue;
      const node = pair.value;
      const value: unknown = this.#yaml.isNode(node) ? node.toJS(this.#document) : null;
      Object.defineProperty(values, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return values;
  }

  /** Plain items that a YAML comment ends (`- src/c #/**` is `src/c`), for callers that have a word for it. */
  findCutItems(
    knownKeys: readonly string[],
    describe: (value: string) => IssueDescription | undefined,
  ): readonly Diagnostic[] {
    const cut: Diagnostic[] = [];
    for (const key of knownKeys) {
      const value = this.#pair(key)?.value;
      const items = this.#yaml.isSeq(value) ? value.items : [value];
      for (const item of items) {
        const end = this.#yaml.isScalar(item) && item.type === 'PLAIN' ? item.range?.[1] : undefined;
        if (end === undefined || !/^[ \t]+#/.test(this.#block.restOfLine(end))) continue;
        const start = (item as Scalar).range?.[0] ?? end;
        if (start === end) continue;
        const text = this.#block.text.slice(start, end);
        const described = describe(text);
        if (described === undefined) continue;
        const { code, message, hint } = described;
        const range = this.#block.range(start, end + this.#block.restOfLine(end).length);
        cut.push(diagnostic(code, { path: this.#block.path, message, hint, range }));
      }
    }
    return cut;
  }

  key(key: string): Range | undefined {
    return this.#rangeOfNode(this.#pair(key)?.key);
  }

  item(key: string, index: number): Range | undefined {
    return this.#rangeOfNode(this.#item(key, index));
  }

  span(key: string, index: number, start: number, end: number): Range | undefined {
    const node = this.#item(key, index);
    if (!this.#yaml.isScalar(node) || !node.range) return undefined;
    const quote = node.type === 'PLAIN' ? 0 : 1;
    const from = node.range[0] + quote;
    const isAsWritten = this.#block.text.slice(from, node.range[1] - quote) === node.value;
    return isAsWritten ? this.#block.range(from + start, from + end) : this.#rangeOfNode(node);
  }

  /** Where the value at a path stands; the nearest thing around it that does stand somewhere. */
  rangeOf(path: readonly PropertyKey[]): Range {
    const [key, ...rest] = path;
    const pair = typeof key === 'string' ? this.#pair(key) : undefined;
    if (pair === undefined) return OPENING_FENCE;
    let range = this.#rangeOfNode(pair.key) ?? OPENING_FENCE;
    let node: unknown = pair.value;
    for (let depth = 0; ; depth++) {
      const own = this.#rangeOfNode(node);
      if (own !== undefined && !isNothing(node, this.#yaml)) range = own;
      const step = rest[depth];
      if (step === undefined) return range;
      node = this.#yaml.isCollection(node) ? node.get(step, true) : undefined;
    }
  }

  #pair(key: string): Pair<unknown, unknown> | undefined {
    return this.pairs.find((pair) => this.#yaml.isScalar(pair.key) && pair.key.value === key);
  }

  #item(key: string, index: number): unknown {
    const value = this.#pair(key)?.value;
    return this.#yaml.isSeq(value) ? (value as YAMLSeq<unknown>).items[index] : undefined;
  }

  #rangeOfNode(node: unknown): Range | undefined {
    if (!this.#yaml.isNode(node)) return undefined;
    const range = (node as Node).range;
    return range ? this.#block.range(range[0], range[1]) : undefined;
  }
}

/** A value that was left out has a place in the text and no character there. */
function isNothing(node: unknown, yaml: Yaml): boolean {
  return yaml.isScalar(node) && node.source === '';
}
