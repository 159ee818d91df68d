import { hash } from 'node:crypto';
import { ActivationError } from './error.ts';

/** One element of a rendered record. */
export type RenderedItem =
  | {
      readonly kind: 'module';
      readonly relPath: string;
      readonly content: string;
      /** Whether an earlier version of the path is still in the context. */
      readonly supersedes: boolean;
    }
  | {
      readonly kind: 'removed';
      readonly relPath: string;
      /** The path whose module stands in its place. */
      readonly successor: string | null;
    };

export interface RenderOptions {
  /** Strings of the frame that a host puts around the text; content that holds one gets a boundary as well. */
  readonly reserved?: readonly string[] | undefined;
}

const ELEMENT = 'instruction_module';
const SUPERSEDES = 'earlier version';
const REMOVED = 'no longer applies';

/**
 * The text that the model reads:
 *
 *     <instruction_module path="src/api/AGENTS.md">
 *     CONTENT
 *     </instruction_module>
 *
 * Content is never altered. Where it holds something that looks like this element (or a reserved string), the element carries a boundary
 * that neither contains, in its opening and its closing line. {@link parseInstructions} gives back exactly the items.
 */
export function renderInstructions(items: readonly RenderedItem[], o: RenderOptions = {}): string {
  return items.map((item) => renderItem(item, o.reserved ?? [])).join('\n');
}

function renderItem(item: RenderedItem, reserved: readonly string[]): string {
  const path = `path="${escapeAttribute(item.relPath)}"`;
  if (item.kind === 'removed') {
    const successor = item.successor === null ? '' : ` successor="${escapeAttribute(item.successor)}"`;
    return `<${ELEMENT} ${path} removed="${REMOVED}"${successor}/>`;
  }
  const supersedes = item.supersedes ? ` supersedes="${SUPERSEDES}"` : '';
  const boundary = needsBoundary(item.content, reserved)
    ? ` boundary="${chooseBoundary(item.relPath, item.content, reserved)}"`
    : '';
  return `<${ELEMENT} ${path}${supersedes}${boundary}>\n${item.content}\n</${ELEMENT}${boundary}>`;
}

function needsBoundary(content: string, reserved: readonly string[]): boolean {
  return (
    /<\s*\/?\s*instruction_module/i.test(content) || reserved.some((text) => text !== '' && content.includes(text))
  );
}

/** Drawn from the content, so that the same history renders to the same bytes. */
function chooseBoundary(relPath: string, content: string, reserved: readonly string[]): string {
  for (let attempt = 0; ; attempt++) {
    const token = hash('sha256', `${attempt}\0${relPath}\0${content}`).slice(0, 16);
    if (!content.includes(token) && !reserved.some((text) => text.includes(token))) return token;
  }
}

/** The items of a text that {@link renderInstructions} made. Throws `ActivationError` `activation_malformed_text` for any other. */
export function parseInstructions(text: string): readonly RenderedItem[] {
  const items: RenderedItem[] = [];
  let at = 0;
  while (at < text.length) {
    if (items.length > 0) {
      if (text[at] !== '\n') throw malformed(at);
      at++;
    }
    const end = text.indexOf('>', at);
    const tag = end === -1 ? undefined : parseTag(text.slice(at, end + 1));
    if (tag === undefined) throw malformed(at);
    at = end + 1;
    if (tag.removed) {
      items.push({ kind: 'removed', relPath: tag.relPath, successor: tag.successor });
      continue;
    }
    const close = `\n</${ELEMENT}${tag.boundary}>`;
    const stop = text.indexOf(close, at + 1);
    if (text[at] !== '\n' || stop === -1) throw malformed(at);
    items.push({ kind: 'module', relPath: tag.relPath, content: text.slice(at + 1, stop), supersedes: tag.supersedes });
    at = stop + close.length;
  }
  return items;
}

interface Tag {
  readonly relPath: string;
  readonly supersedes: boolean;
  readonly boundary: string;
  readonly removed: boolean;
  readonly successor: string | null;
}

const OPENING = new RegExp(`^<${ELEMENT} path="([^"]*)"( supersedes="${SUPERSEDES}")?( boundary="[0-9a-f]{16}")?>$`);
const TOMBSTONE = new RegExp(`^<${ELEMENT} path="([^"]*)" removed="${REMOVED}"(?: successor="([^"]*)")?/>$`);

function parseTag(text: string): Tag | undefined {
  const opening = OPENING.exec(text);
  if (opening !== null) {
    const [, path = '', supersedes, boundary = ''] = opening;
    return {
      relPath: unescapeAttribute(path),
      supersedes: supersedes !== undefined,
      boundary,
      removed: false,
      successor: null,
    };
  }
  const tombstone = TOMBSTONE.exec(text);
  if (tombstone === null) return undefined;
  const [, path = '', successor] = tombstone;
  return {
    relPath: unescapeAttribute(path),
    supersedes: false,
    boundary: '',
    removed: true,
    successor: successor === undefined ? null : unescapeAttribute(successor),
  };
}

function malformed(at: number): ActivationError {
  return new ActivationError('activation_malformed_text', `this is not a rendered instruction record: offset ${at}`);
}

/** Mark-up, and every character that could start a line, hide, or turn the direction of what follows. */
const UNSAFE = /[&<>"\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function escapeAttribute(text: string): string {
  return text.replace(UNSAFE, (character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`);
}

function unescapeAttribute(text: string): string {
  return text.replace(/&#x([0-9a-f]{1,6});/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
