import { parseSessionId } from './identifiers.ts';

/** The fields that the journal sets. No draft may hold one. */
export const headFields = ['id', 'parentId', 'sessionId', 'depth', 'at'] as const;

export type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;
export type Shape = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isAnything: Check = () => true;
const isName: Check = (value) => typeof value === 'string' && value !== '';
const isHash: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isDepth: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isCount: Check = (value) => isDepth(value) && value !== 0;
const isEntryId: Check = (value) => typeof value === 'string' && /^[\w.:-]{1,200}$/.test(value);
const exactly =
  (word: string): Check =>
  (value) =>
    value === word;
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shaped =
  (shape: Shape): Check =>
  (value) =>
    isFields(value) && Object.entries(shape).every(([field, check]) => check(value[field]));

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isToolCalls: Check = (value) =>
  listOf(shaped({ id: isText, name: isText, input: isAnything }))(value) && hasDistinctIds(value as { id: string }[]);

/** A result is matched to its call by id, so two calls of one message cannot share theirs. */
function hasDistinctIds(calls: readonly { readonly id: string }[]): boolean {
  return new Set(calls.map((call) => call.id)).size === calls.length;
}

/**
 * What each kind of record holds: drafts are checked by it, and what is read back. Spelled by hand, so that neither costs a library. The name is
 * the kind, and for kinds with a second word (`role`, `context`) that word too.
 */
export const variants: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    'message/user': { text: isText },
    'message/assistant': { text: isText, toolCalls: isToolCalls },
    'message/tool': {
      toolCallId: isText,
      text: isText,
      isError: isFlag,
      details: optional(shaped({ fileAccess: optional(shaped({ path: isText })) })),
    },
    startup: {
      text: isText,
      modules: listOf(shaped({ relPath: isName, sha256: isHash })),
      unavailable: optional(listOf(isName)),
    },
    'turn-context/instructions': {
      placement: exactly('after-message'),
      text: isText,
      details: shaped({
        instructions: listOf(shaped({ relPath: isName, sha256: isHash, supersedes: orNull(isHash) })),
        removed: listOf(shaped({ relPath: isName, successor: orNull(isName) })),
        settles: optional(listOf(isText)),
        isClaim: optional(isFlag),
      }),
    },
    'turn-context/other': { placement: exactly('after-message'), text: isText, details: isAnything },
    compaction: { summary: isText, keepFrom: orNull(shaped({ id: isEntryId, depth: isDepth })) },
    'context-cleared': {},
    rewind: {},
    touch: { paths: listOf(isText) },
    settle: { paths: listOf(isText) },
    claim: { delivery: isEntryId, outcome: oneOf('confirmed', 'given-back') },
    request: { number: isCount, digest: isHash, settles: listOf(isText) },
    custom: { name: isName, data: isAnything },
  }),
);

const secondWord: ReadonlyMap<unknown, string> = new Map([
  ['message', 'role'],
  ['turn-context', 'context'],
]);

/** The variant that a record names: one of {@link variants}, a word that is none of them, or `undefined` when it names none at all. */
export function variantOf(record: Fields): string | undefined {
  const { kind } = record;
  if (typeof kind !== 'string' || kind === '') return undefined;
  const field = secondWord.get(kind);
  if (field === undefined) return kind;
  const word = record[field];
  return typeof word === 'string' ? `${kind}/${word}` : undefined;
}

/** The fields that the journal set, as they are read back. */
export const headShape: Shape = {
  id: isEntryId,
  parentId: orNull(isEntryId),
  sessionId: (value) => parseSessionId(value as string) !== undefined,
  depth: isDepth,
  at: (value) => Number.isSafeInteger(value),
  kind: isName,
};

/** The name of the first field that is not what the shape says; `undefined` when all are. */
export function faultIn(shape: Shape, fields: Fields): string | undefined {
  for (const [field, isRight] of Object.entries(shape)) if (!isRight(fields[field])) return field;
  return undefined;
}

/** Whether the fields of an `unknown` record, laid beside the head again, are read back as an `unknown` record. */
export function isLaterKind(originalKind: unknown, data: unknown): boolean {
  if (typeof originalKind !== 'string' || !isFields(data)) return false;
  if (Object.hasOwn(data, 'kind') || headFields.some((field) => Object.hasOwn(data, field))) return false;
  const variant = variantOf({ ...data, kind: originalKind });
  return variant !== undefined && !variants.has(variant);
}
