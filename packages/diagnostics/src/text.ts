import type { Diagnostic } from './diagnostic.ts';
import { frameOf, linesOf } from './frame.ts';
import { showHidden } from './visible.ts';

export interface TextOptions {
  /** The text of a file, in which the ranges are places; `undefined` when it is not at hand: then no frame is drawn. */
  readonly source: (path: string) => string | undefined;
  /** Whether to use the colours of a terminal. */
  readonly color: boolean;
}

type Paint = (text: string) => string;

interface Palette {
  readonly error: Paint;
  readonly warning: Paint;
  readonly path: Paint;
  readonly faint: Paint;
}

const paint =
  (on: number, off: number): Paint =>
  (text) =>
    `\x1b[${on}m${text}\x1b[${off}m`;
const plain: Paint = (text) => text;
const PLAIN: Palette = { error: plain, warning: plain, path: plain, faint: plain };
const COLORS: Palette = { error: paint(31, 39), warning: paint(33, 39), path: paint(1, 22), faint: paint(2, 22) };

/**
 * For people: a head line, and the line of source with carets under the range and the hint beside them. Nothing of a file, a name or a message
 * reaches the terminal as a control: hidden characters are shown as escapes. Diagnostics are parted by an empty line; no line break ends the text.
 *
 * ```text
 * .elowen/rules/api.md:2:9  error frontmatter_alias  `*` starts a YAML alias here.
 *   2 | paths: [*.ts]
 *     |         ^^^^  Write it in quotes.
 * ```
 */
export function renderText(diagnostics: readonly Diagnostic[], o: TextOptions): string {
  const colors = o.color ? COLORS : PLAIN;
  const known = new Map<string, readonly string[] | undefined>();
  const linesAt = (path: string): readonly string[] | undefined => {
    if (!known.has(path)) {
      const text = o.source(path);
      known.set(path, text === undefined ? undefined : linesOf(text));
    }
    return known.get(path);
  };
  return diagnostics.map((found) => [headOf(found, colors), ...bodyOf(found, linesAt, colors)].join('\n')).join('\n\n');
}

function headOf({ path, range, severity, code, message }: Diagnostic, colors: Palette): string {
  const place = range === undefined ? '' : `:${range.start.line}:${range.start.column}`;
  const name = path === '' ? '.' : showHidden(path);
  return `${colors.path(`${name}${place}`)}  ${colors[severity](severity)} ${code}  ${showHidden(message)}`;
}

function bodyOf(
  { path, range, hint, severity }: Diagnostic,
  linesAt: (path: string) => readonly string[] | undefined,
  colors: Palette,
): readonly string[] {
  const said = hint === undefined ? '' : showHidden(hint);
  const source = range === undefined ? undefined : linesAt(path)?.[range.start.line - 1];
  if (range === undefined || source === undefined) return said === '' ? [] : [`  ${said}`];
  const frame = frameOf(source, range);
  const number = String(range.start.line);
  const gutter = (text: string): string => colors.faint(`  ${text.padStart(number.length)} |`);
  const onward = range.end.line > range.start.line ? ` to line ${range.end.line}` : '';
  const marks = `${colors[severity](frame.carets)}${onward}${said === '' ? '' : `  ${said}`}`;
  return [`${gutter(number)} ${frame.line}`.trimEnd(), `${gutter('')} ${marks}`];
}
