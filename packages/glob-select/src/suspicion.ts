import type { GlobFinding, GlobWarningCode } from './finding.ts';

function warning(code: GlobWarningCode, span: GlobFinding['span'], message: string, hint?: string): GlobFinding {
  return { code, severity: 'warning', message, hint, span };
}

/** What is used as it stands and surely not meant so. */
export function findWarnings(text: string): readonly GlobFinding[] {
  const suspicious = [...ends(text), ...inside(text)];
  // A comma or a quotation mark beside `**` is the cause; that it is glued is only what follows.
  return [...negation(text), ...braces(text), ...suspicious, ...(suspicious.length > 0 ? [] : glued(text))];
}

function negation(text: string): readonly GlobFinding[] {
  if (!text.startsWith('!')) return [];
  const message = 'a leading `!` is part of the name here, so this glob excludes nothing and matches next to nothing';
  return [
    warning(
      'glob_negation',
      { start: 0, end: 1 },
      message,
      'List the globs that are meant; what is not listed is left out.',
    ),
  ];
}

const MAX_SHOWN = 8;

function braces(text: string): readonly GlobFinding[] {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start || !/,|\.\./.test(text.slice(start, end))) return [];
  const list = expanded(text);
  const shown =
    list === undefined
      ? 'Write one glob for each alternative.'
      : `Write a list: ${list.map((glob) => `"${glob}"`).join(', ')}.`;
  const message = 'braces are part of the name here, so this glob matches next to nothing';
  return [warning('glob_braces', { start, end: end + 1 }, message, shown)];
}

/** The list form of a glob with flat braces; `undefined` when it would be long, or the braces are nested. */
function expanded(text: string): readonly string[] | undefined {
  let globs = [''];
  for (const part of text.split(/(\{[^{}]*\})/)) {
    const choices =
      part.startsWith('{') && part.endsWith('}') && part.includes(',') ? part.slice(1, -1).split(',') : [part];
    if (globs.length * choices.length > MAX_SHOWN) return undefined;
    globs = globs.flatMap((head) => choices.map((choice) => head + choice));
  }
  return globs.some((glob) => /[{}]/.test(glob)) ? undefined : globs;
}

const QUOTES = '\'"`´‘’‚‛“”„‟«»‹›';

function ends(text: string): readonly GlobFinding[] {
  const findings: GlobFinding[] = [];
  const first = text[0] ?? '';
  const last = text.at(-1) ?? '';
  if (QUOTES.includes(first) || QUOTES.includes(last)) {
    const span = QUOTES.includes(first) ? { start: 0, end: 1 } : { start: text.length - 1, end: text.length };
    findings.push(
      warning(
        'glob_suspicious',
        span,
        'a quotation mark is part of the glob here',
        'Use straight quotes around the whole glob: "src/**".',
      ),
    );
  }
  if (text.trim() !== text) {
    const span = first.trim() === '' ? { start: 0, end: 1 } : { start: text.length - 1, end: text.length };
    findings.push(
      warning('glob_suspicious', span, 'a blank at the end is part of the glob here', `Write "${text.trim()}".`),
    );
  }
  return findings;
}

function inside(text: string): readonly GlobFinding[] {
  const findings: GlobFinding[] = [];
  const comma = text.replace(/\{[^{}]*\}/g, (group) => ' '.repeat(group.length)).indexOf(',');
  if (comma !== -1) {
    const list = text.split(',').map((glob) => `"${glob.trim()}"`);
    const hint =
      list.length <= MAX_SHOWN
        ? `Write a list, if these are several globs: ${list.join(', ')}.`
        : 'Write a list, if these are several globs.';
    findings.push(
      warning('glob_suspicious', { start: comma, end: comma + 1 }, 'a comma is part of the name here', hint),
    );
  }
  const control = text.search(/\p{Cc}/u);
  if (control !== -1) {
    const message = 'a control character is part of the glob here; a Windows path in double quotes becomes one';
    findings.push(warning('glob_suspicious', { start: control, end: control + 1 }, message, 'Use forward slashes.'));
  }
  return findings;
}

function glued(text: string): readonly GlobFinding[] {
  let start = 0;
  for (const part of text.split('/')) {
    const at = part.indexOf('**');
    if (at !== -1 && part !== '**') {
      const stars = /\*+/.exec(part.slice(at))?.[0].length ?? 2;
      const meant = part.slice(0, at) === '' ? `${text.slice(0, start)}**/*${text.slice(start + stars)}` : undefined;
      const message = '`**` beside other characters is `*` here and stays within one folder';
      const hint = meant === undefined ? 'Put `**` alone between slashes.' : `Write "${meant}".`;
      return [warning('glob_glued', { start: start + at, end: start + at + stars }, message, hint)];
    }
    start += part.length + 1;
  }
  return [];
}
