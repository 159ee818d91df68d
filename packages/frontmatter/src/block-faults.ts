import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { Lexer } from 'yaml';
import type { Block } from './block.ts';

/** Deeper than any honest block. The parser behind it recurses, and dies of a few thousand levels. */
const MAX_DEPTH = 32;
const MAX_INDENT = 128;

/** What can be told from the lines alone, before anything is parsed. */
export function findLineFaults(block: Block): readonly Diagnostic[] {
  const conflict = /^(?:<{7}|>{7})(?: .*|\r)?$/m.exec(block.text);
  if (conflict !== null) {
    return [
      diagnostic('frontmatter_conflict', {
        path: block.path,
        message: 'the frontmatter holds the markers of an unresolved merge',
        hint: 'Keep one of the two sides and delete the marker lines.',
        range: block.range(conflict.index, conflict.index + conflict[0].trimEnd().length),
      }),
    ];
  }
  const faults: Diagnostic[] = [];
  const marker = /^(?:\.\.\.|---)(?=[ \t\r\n]|$)/m.exec(block.text);
  if (marker !== null) {
    faults.push(
      yamlFault(
        block,
        marker.index,
        marker.index + 3,
        `\`${marker[0]}\` begins or ends a YAML document, and a frontmatter is one document`,
        'Delete the line; the block is closed by a line of exactly three dashes.',
      ),
    );
  }
  const lone = /\r(?!\n)/.exec(block.text);
  if (lone !== null) {
    faults.push(
      yamlFault(
        block,
        lone.index,
        lone.index,
        'a carriage return without a line feed',
        'Save the file with LF or CRLF line ends.',
      ),
    );
  }
  return faults;
}

/** Whether the block is nested too deeply to be parsed, told by its tokens, without recursion. */
export function findDepthFault(block: Block, lexer: Lexer): Diagnostic | undefined {
  let flow = 0;
  let indicators = 0;
  let offset = 0;
  let lineStart = 0;
  for (const token of lexer.lex(block.text)) {
    if (CONTROL_TOKENS.has(token)) continue;
    if (token === '[' || token === '{') flow++;
    else if (token === ']' || token === '}') flow = Math.max(0, flow - 1);
    else if (token === '-' || token === '?' || token === ':') indicators++;
    const isTooDeep =
      flow > MAX_DEPTH ||
      indicators > MAX_DEPTH ||
      (INDICATORS.has(token) && indentAt(block.text, lineStart) > MAX_INDENT);
    if (isTooDeep) {
      return yamlFault(
        block,
        offset,
        offset + 1,
        `more than ${MAX_DEPTH} levels of nesting`,
        'Quote a value that begins with a bracket: a frontmatter is a flat map of keys.',
      );
    }
    const lineEnd = token.lastIndexOf('\n');
    offset += token.length;
    if (lineEnd !== -1) {
      lineStart = offset - (token.length - lineEnd - 1);
      if (flow === 0) indicators = 0;
    }
  }
  return undefined;
}

const INDICATORS: ReadonlySet<string> = new Set(['-', '?', ':', '[', '{']);
/** What the lexer says between the pieces of text: a mark, the start of a document, of an empty flow, of a scalar. */
const CONTROL_TOKENS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);

function indentAt(text: string, lineStart: number): number {
  let end = lineStart;
  while (end - lineStart <= MAX_INDENT && text[end] === ' ') end++;
  return end - lineStart;
}

export function yamlFault(block: Block, start: number, end: number, message: string, hint: string): Diagnostic {
  return diagnostic('frontmatter_yaml', { path: block.path, message, hint, range: block.range(start, end) });
}
