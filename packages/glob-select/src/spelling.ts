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
    const message = `the glob has ${text.length} characters, more than ${maxLength}`;
    return [error('glob_too_long', { start: 0, end: text.length }, message, 'Write several shorter globs as a list.')];
  }
  return [...absolute(text), ...backslashes(text), ...segments(text)];
}

function absolute(text: string): readonly GlobFinding[] {
  const found = /^(?:\/+|[A-Za-z]:[\\/]+)/.exec(text);
  if (found === null) return [];
  const rest = repaired(text.slice(found[0].length));
  const message = 'globs are relative to the root of the project and do not begin with a slash, a drive or a server';
  return [
    error('glob_absolute', { start: 0, end: found[0].length }, message, rest === '' ? undefined : `Write "${rest}".`),
  ];
}

function backslashes(text: string): readonly GlobFinding[] {
  const start = text.indexOf('\\');
  if (start === -1) return [];
  const message = 'a backslash neither separates folders nor escapes a character here';
  return [error('glob_backslash', { start, end: start + 1 }, message, `Write "${repaired(text)}".`)];
}

function segments(text: string): readonly GlobFinding[] {
  const errors: GlobFinding[] = [];
  const parts = text.split('/');
  let start = 0;
  for (const [index, part] of parts.entries()) {
    const span = { start, end: start + part.length };
    start = span.end + 1;
    if (part === '..') {
      errors.push(
        error(
          'glob_parent_segment',
          span,
          '`..` is not allowed: no glob leaves the project',
          'Write the path from the root of the project.',
        ),
      );
    } else if (part === '.') {
      errors.push(
        error(
          'glob_dot_segment',
          span,
          '`.` is not allowed: every glob begins at the root',
          `Write "${repaired(text)}".`,
        ),
      );
    } else if (part === '' && index > 0 && index === parts.length - 1) {
      const message = 'a glob matches files, and a slash at the end names a folder';
      errors.push(
        error(
          'glob_trailing_slash',
          { start: text.length - 1, end: text.length },
          message,
          `Write "${repaired(text)}/**".`,
        ),
      );
    } else if (part === '' && index > 0 && !/^\/+$/.test(text.slice(0, span.start))) {
      const message = 'two slashes in a row name no folder';
      errors.push(
        error(
          'glob_empty_segment',
          { start: span.start - 1, end: span.start + 1 },
          message,
          `Write "${repaired(text)}".`,
        ),
      );
    }
  }
  return errors;
}

/** The spelling that was surely meant, for hints alone. */
function repaired(text: string): string {
  return text
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}
