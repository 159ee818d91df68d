import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { Document, Node, Scalar, YAMLMap } from 'yaml';
import type { Block } from './block.ts';
import { findDepthFault, yamlFault } from './block-faults.ts';
import type { Advise } from './outcome.ts';
import { explainParserError } from './parser-errors.ts';

export type Yaml = typeof import('./yaml-parser.ts');

/** Loaded at the first block that the hand path leaves over: the parser costs more to load than most programs need at all. */
export function loadYaml(): Promise<Yaml> {
  return import('./yaml-parser.ts');
}

export interface ParsedBlock {
  /** Undefined where the root is no map. */
  readonly map: YAMLMap | undefined;
  /** Nothing but blanks and comments, a null, or a map without a key. */
  readonly isEmpty: boolean;
  /** Whether the values can be told: no fault of syntax, no alias, no tag. */
  readonly isReadable: boolean;
  readonly faults: readonly Diagnostic[];
  readonly document: Document | undefined;
}

/** YAML 1.2 core, unique keys, one document; no alias, anchor, merge key or tag. Total for any text (F3). */
export function parseBlock(block: Block, yaml: Yaml, advise: Advise): ParsedBlock {
  const tooDeep = findDepthFault(block, new yaml.Lexer());
  if (tooDeep !== undefined) {
    return { map: undefined, isEmpty: false, isReadable: false, faults: [tooDeep], document: undefined };
  }
  const document = yaml.parseDocument(block.text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const syntax: Diagnostic[] = [];
  let isReadable = true;
  for (const error of document.errors) {
    if (error.code !== 'DUPLICATE_KEY') isReadable = false;
    syntax.push(explainParserError(block, error.code, error.pos, error.message, advise));
  }
  const refused = findRefusedNodes(block, document, yaml, advise);
  if (refused.length > 0) isReadable = false;
  // Tags are told from the nodes; what else the parser only warns of is a fault here.
  for (const warning of document.warnings) {
    if (warning.code === 'TAG_RESOLVE_FAILED') continue;
    isReadable = false;
    syntax.push(explainParserError(block, warning.code, warning.pos, warning.message, advise));
  }
  const faults = [...oncePerLine(syntax), ...refused];
  const root = document.contents;
  const map = yaml.isMap(root) ? root : undefined;
  const isNothing = root === null || (yaml.isScalar(root) && root.value === null) || map?.items.length === 0;
  const isEmpty = isNothing && faults.length === 0;
  if (root !== null && map === undefined && !isEmpty && faults.length === 0) faults.push(notAMap(block, root));
  return { map, isEmpty, isReadable, faults, document };
}

/** One slip makes the parser complain several times on the same line; the first says it. */
function oncePerLine(faults: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return faults.filter((fault) => {
    const place = `${fault.code} ${fault.range?.start.line}`;
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

function findRefusedNodes(block: Block, document: Document, yaml: Yaml, advise: Advise): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  const anchored = (node: Node, start: number): number => {
    // The range of a node leaves its anchor and tag out; they stand shortly before it.
    const sign = node.range === null || node.range === undefined ? -1 : lastSign(block.text, node.range[0]);
    return sign === -1 ? start : sign;
  };
  yaml.visit(document, {
    Alias(_, node) {
      const start = node.range?.[0] ?? 0;
      faults.push(aliasFault(block, start, '`*` starts a YAML alias here, and none is allowed', advise));
    },
    Pair(_, pair) {
      const key = pair.key;
      if (!yaml.isScalar(key) || key.value !== '<<' || key.type !== 'PLAIN') return;
      faults.push(aliasFault(block, key.range?.[0] ?? 0, '`<<` is a YAML merge key, and none is allowed', advise));
    },
    Node(_, node) {
      if (yaml.isAlias(node)) return;
      const start = node.range?.[0] ?? 0;
      if (node.anchor !== undefined) {
        faults.push(
          aliasFault(block, anchored(node, start), '`&` starts a YAML anchor here, and none is allowed', advise),
        );
      }
      if (node.tag !== undefined) faults.push(tagFault(block, anchored(node, start)));
    },
  });
  return faults;
}

function lastSign(text: string, before: number): number {
  const from = Math.max(0, before - 256);
  const found = /[&!][^\s]*\s*$/.exec(text.slice(from, before));
  return found === null ? -1 : from + found.index;
}

function aliasFault(block: Block, start: number, message: string, advise: Advise): Diagnostic {
  const word = block.wordAt(start);
  const isName = word.startsWith('*') && word.length > 1;
  const hint = isName ? `Put the value in quotes: "${word.slice(0, 80)}".` : 'Write the value itself, in quotes.';
  return diagnostic('frontmatter_alias', {
    path: block.path,
    message,
    hint,
    ...(isName ? advise({ kind: 'alias', text: word.slice(0, 80) }) : undefined),
    range: block.range(start, start + Math.max(word.length, 1)),
  });
}

function tagFault(block: Block, start: number): Diagnostic {
  const word = block.wordAt(start);
  return yamlFault(
    block,
    start,
    start + Math.max(word.length, 1),
    `\`${word.slice(0, 40) || '!'}\` is a YAML tag here, and none is allowed`,
    `Put the value in quotes: "${word.slice(0, 80)}".`,
  );
}

function notAMap(block: Block, root: Node): Diagnostic {
  const [start, end] = root.range ?? [0, 0, 0];
  const text = block.text.slice(start, end);
  const blank = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/u.exec(text);
  const code = blank?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  let hint =
    'Write a key, a colon and a blank before the value. A file that is to begin with a horizontal rule writes `***`.';
  if (code !== undefined) hint = `Replace the blank U+${code} by an ordinary space: for YAML it is none.`;
  else if (/^["']?[\w-]+["']?:\S/.test(text)) hint = 'Put a blank behind the colon of the key.';
  return diagnostic('frontmatter_not_a_map', {
    path: block.path,
    message:
      'type' in root && isScalarNode(root)
        ? 'the frontmatter is a piece of text, not a map of keys'
        : 'the frontmatter is a list, not a map of keys',
    hint,
    range: block.range(start, end),
    ...(code === undefined ? {} : { facts: { blank: `U+${code}` } }),
  });
}

const isScalarNode = (node: Node): node is Scalar => 'value' in node;
