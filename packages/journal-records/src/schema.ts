import { z } from 'zod';
import type { EntryHead, JournalEntry } from './entry.ts';
import { JournalError } from './journal.ts';
import { variantOf } from './variants.ts';

export { serializeEntry } from './serialize.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().min(1);
const entryId = z.string().regex(/^[\w.:-]{1,200}$/);
const depth = z.int().min(0);

const head = z
  .looseObject({
    id: entryId,
    parentId: entryId.nullable(),
    sessionId: z.string().regex(/^[\w-][\w.-]{0,199}$/),
    depth,
    at: z.int(),
    kind: name,
  })
  .refine(
    (entry) => (entry.parentId === null) === (entry.depth === 0),
    'only the first entry of a branch has no parent',
  );

const toolCalls = z
  .array(z.looseObject({ id: z.string(), name: z.string(), input: z.unknown().optional() }))
  .refine((calls) => new Set(calls.map((call) => call.id)).size === calls.length, 'two calls share an id');

const records: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries({
    'message/user': z.looseObject({ text: z.string() }),
    'message/assistant': z.looseObject({
      text: z.string(),
      toolCalls,
      pendingTouches: z.array(z.string()).optional(),
    }),
    'message/tool': z.looseObject({
      toolCallId: z.string(),
      text: z.string(),
      isError: z.boolean(),
      details: z.looseObject({ fileAccess: z.looseObject({ path: z.string() }).optional() }).optional(),
    }),
    startup: z.looseObject({
      text: z.string(),
      modules: z.array(z.looseObject({ relPath: name, sha256 })),
    }),
    'turn-context/instructions': z.looseObject({
      placement: z.literal('after-message'),
      text: z.string(),
      details: z.looseObject({
        instructions: z.array(z.looseObject({ relPath: name, sha256, supersedes: sha256.nullable() })),
        removed: z.array(z.looseObject({ relPath: name, successor: name.nullable() })),
      }),
    }),
    'turn-context/other': z.looseObject({
      placement: z.literal('after-message'),
      text: z.string(),
      details: z.unknown().optional(),
    }),
    compaction: z.looseObject({
      summary: z.string(),
      keepFrom: z.looseObject({ id: entryId, depth }).nullable(),
    }),
    'context-cleared': z.looseObject({}),
    rewind: z.looseObject({}),
    custom: z.looseObject({ name, data: z.unknown().optional() }),
  }),
);

/**
 * A parsed JSON value (a line, a row) as an entry. Fields that its kind does not name are kept; a kind (or role, or context) that this version
 * does not know becomes an `unknown` record with all its fields. Throws `journal_corrupt` for anything else; the `cause` names each fault.
 */
export function parseEntry(json: unknown): JournalEntry {
  check(head, json);
  // What was read, not what a schema made of it: nothing may be lost or added on the way (a schema drops a field named `__proto__`).
  const fields = json as EntryHead & Readonly<Record<string, unknown>>;
  const variant = variantOf(fields);
  if (variant === undefined) throw new JournalError('journal_corrupt', `entry ${fields.id} does not say what it is`);
  const record = records.get(variant);
  if (record === undefined) return asUnknown(fields);
  check(record, json);
  return json as JournalEntry;
}

function check(schema: z.ZodType, json: unknown): void {
  const result = schema.safeParse(json);
  if (result.success) return;
  throw new JournalError('journal_corrupt', `not an entry: ${z.prettifyError(result.error)}`, { cause: result.error });
}

function asUnknown(fields: EntryHead & Readonly<Record<string, unknown>>): JournalEntry {
  const { id, parentId, sessionId, depth: atDepth, at, kind, ...data } = fields;
  return { id, parentId, sessionId, depth: atDepth, at, kind: 'unknown', originalKind: String(kind), data };
}
