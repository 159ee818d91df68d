import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { Block } from './block.ts';
import type { Advise } from './outcome.ts';

interface Explanation {
  readonly message: string;
  readonly hint: string;
}

const BY_CODE: Readonly<Record<string, Explanation>> = {
  TAB_AS_INDENT: { message: 'a tab is used as indentation', hint: 'Indent by spaces: YAML allows no tab there.' },
  BAD_DQ_ESCAPE: {
    message: 'a backslash in double quotes begins an escape, and this one does not exist',
    hint: 'Write the value in single quotes, which know no escapes.',
  },
  BAD_SCALAR_START: {
    message: 'a value without quotes cannot begin with this character',
    hint: 'Put the value in quotes.',
  },
  MULTIPLE_DOCS: { message: 'the frontmatter holds more than one YAML document', hint: 'Keep one.' },
};

/** What a fault that the YAML parser found means for the person who wrote the block. */
export function explainParserError(
  block: Block,
  code: string,
  [start, end]: readonly [number, number],
  prose: string,
  advise: Advise,
): Diagnostic {
  if (code === 'DUPLICATE_KEY') {
    const key = /^["']?[\w-]*["']?/.exec(block.restOfLine(start))?.[0] ?? '';
    return diagnostic('frontmatter_duplicate_key', {
      path: block.path,
      message: key === '' ? 'a key is given twice' : `the key \`${key}\` is given twice`,
      hint: 'Keep one, with all the values in it.',
      range: block.range(start, start + key.length),
    });
  }
  const { message, hint } = explain(block, code, start, prose, advise);
  return diagnostic('frontmatter_yaml', {
    path: block.path,
    message,
    hint,
    range: block.range(start, Math.max(start, Math.min(end, start + block.restOfLine(start).length))),
  });
}

/** The parser's words as the end of a clause. */
function clauseOf(prose: string): string {
  const [line = ''] = prose.slice(0, 120).split('\n');
  return line.replace(/[\s.:;,!]+$/, '');
}

function explain(block: Block, code: string, start: number, prose: string, advise: Advise): Explanation {
  const known = BY_CODE[code];
  if (known !== undefined) {
    return code === 'BAD_DQ_ESCAPE' ? { ...known, ...advise({ kind: 'escape', text: block.wordAt(start) }) } : known;
  }
  const lineStart = block.text.lastIndexOf('\n', start - 1) + 1;
  const line = block.restOfLine(lineStart);
  const message = `the frontmatter is not valid YAML: ${clauseOf(prose)}`;
  if (/^[ ]*\t/.test(line)) return BY_CODE['TAB_AS_INDENT'] ?? { message, hint: 'Indent by spaces.' };
  const brace = /(?:^[\s-]*|:\s+|[[,]\s*)(\{\S*)/.exec(line.slice(0, 300));
  if (brace !== null) {
    return {
      message: '`{` starts a YAML map here, so a value that begins with it must be quoted',
      hint: 'Put the value in quotes.',
      ...advise({ kind: 'map', text: brace[1] ?? '' }),
    };
  }
  if (/:\s+-\s/.test(line.slice(0, 300))) {
    return {
      message: 'a list begins on the line of its key',
      hint: 'Write each item on a line of its own, indented below the key.',
    };
  }
  if (/["'][^"']*["']\s*[^\s,\]#]/.test(line.slice(0, 300))) {
    return {
      message: 'a quoted value goes on behind its closing quote',
      hint: 'Put the whole value in one pair of quotes, and each value on a line of its own.',
    };
  }
  return { message, hint: 'Put values in quotes, and check the indentation and the brackets.' };
}
