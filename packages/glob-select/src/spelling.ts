import type { GlobErrorCode, GlobFinding } from './finding.ts';

function error(code: GlobErrorCode, span: GlobFinding['span'], message: string, hint?: string): GlobFinding {
  return { code, severity: 'error', message, hint, span };
}

/** The faults for which a glob is refused. */
export function findErrors(text: string, maxLength: number): readonly GlobFinding[] {
  if (text === '')
    return [
      error(
        'glob_empty',
        { start: 0, end: 0 },
        'an empty glob matches nothing',
        'Remove it, or write a glob such as "src/**".',
      ),
    ];
  if (text.length > maxLength) {
    const message = `the glob has ${text.length} characters; the limit is ${maxLength}`;
    return [error('glob_too_long', { start: 0, end: text.length }, message, 'Write several shorter globs as a list.')];
  }
  return [...absolute(text), ...backslashes(text), ...segments(text)];
}

function absolute(text: string): readonly GlobFinding[] {
  const found = /^(?:\/+|\\{2,}|[A-Za-z]:[\\/]+)/.exec(text);
  if (found === null) return [];
  const message = 'globs are relative to the root of the project and do not begin with a slash, a drive or a server';
  return [error('glob_absolute', { start: 0, end: found[0].length }, message, write(text.slice(found[0].length)))];
}

function backslashes(text: string): readonly GlobFinding[] {
  const start = text.indexOf('\\');
  if (start === -1) return [];
  const message = 'a backslash neither separates folders nor escapes a character here';
  return [error('glob_backslash', { start, end: start + 1 }, message, write(text))];
}

function segments(text: string): readonly GlobFinding[] {
  const errors: GlobFinding[] = [];
  const parts = text.split('/');
  const meant = write(text);
  let start = 0;
  for (const [index, part] of parts.entries()) {
    const span = { start, end: start + part.length };
    start = span.end + 1;
    // Behind backslashes too: the spelling without them would be refused for it next.
    if (part.split('\\').includes('..')) {
      const hint = 'Write the path from the root of the project.';
      errors.push(error('glob_parent_segment', span, '`..` is not allowed: no glob leaves the project', hint));
    } else if (part === '.') {
      errors.push(error('glob_dot_segment', span, '`.` is not allowed: every glob begins at the root', meant));
    } else if (part === '' && index > 0 && !/^\/+$/.test(text.slice(0, start))) {
      const isLast = index === parts.length - 1;
      errors.push(
        isLast
          ? error(
              'glob_trailing_slash',
              { start: span.start - 1, end: span.start },
              'a glob matches files, and a slash at the end names a folder',
              meant,
            )
          : error(
              'glob_empty_segment',
              { start: span.start - 1, end: span.start + 1 },
              'two slashes in a row name no folder',
              meant,
            ),
      );
    }
  }
  return errors;
}

/** The hint with the spelling that was surely meant, and that is accepted; none where the text names no file or folder. */
function write(text: string): string | undefined {
  const parts = text.split(/[\\/]/);
  const names = parts.filter((part) => part !== '' && part !== '.');
  while (/^[A-Za-z]:$/.test(names[0] ?? '')) names.shift();
  if (names.length === 0 || names.includes('..')) return undefined;
  const isFolder = ['', '.'].includes(parts.at(-1) ?? '') && names.at(-1) !== '**';
  return `Write "${[...names, ...(isFolder ? ['**'] : [])].join('/')}".`;
}
