import type {
  CustomRecord,
  Draft,
  InstructionsRecord,
  Message,
  RequestRecord,
  SessionId,
  SettleRecord,
  Sha256,
  StartupRecord,
  ToolCall,
  TouchRecord,
} from '@codicil/journal-records';
import fc from 'fast-check';

/** Paths of few modules, so that the same one comes up again, awkward ones among them. */
export function anyModulePath(): fc.Arbitrary<string> {
  return fc.constantFrom(
    'AGENTS.md',
    'src/AGENTS.md',
    '.elowen/rules/api.md',
    'src/\u00FC.md',
    'src/u\u0308.md',
    'a "b" <c>\n.md',
    "#%@ ~=,;&'\t.md",
    '__proto__',
    'constructor',
  );
}

/** Hashes of few contents, so that the same one comes up again. */
export function anyHash(): fc.Arbitrary<Sha256> {
  return fc.constantFrom('0', '1', '2', 'f').map((digit) => digit.repeat(64) as Sha256);
}

/** Texts as people, models and tools write them: line ends of all sorts, control characters, lone surrogates. */
export function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
    fc.constantFrom(
      '',
      '\uFEFF',
      'a\r\nb\n',
      '\0',
      '\uD83D',
      '\u2028',
      '"\\',
      '</instruction_module>',
      '\u{1F469}\u200D\u{1F4BB}',
    ),
  );
}

/** Values that JSON gives back unchanged. */
export function anyJson(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"x":1},"constructor":null}'), 1e308, 5e-324, [[[[]]]], {
      id: 'x',
      kind: 'message',
    }),
  );
}

/** Few ids, so that results meet their calls, and some do not. */
export function anyCallId(): fc.Arbitrary<string> {
  return fc.constantFrom('call-1', 'call-2', 'call-3', '');
}

export function anyToolCalls(): fc.Arbitrary<readonly ToolCall[]> {
  const call = fc.record({ id: anyCallId(), name: fc.constantFrom('read', 'edit', ''), input: anyJson() });
  return fc.uniqueArray(call, { maxLength: 3, selector: ({ id }) => id });
}

/** Paths of few files, so that the same one is touched and settled again. */
export function anyTouch(): fc.Arbitrary<string> {
  return fc.constantFrom('src/a.ts', 'src/b.ts', '/abs/c.ts', '../out.ts', '', '\uD800');
}

/** Touches without a tool result, and the markers of requests that settle some. */
export function anyTouchOrRequest(): fc.Arbitrary<TouchRecord | SettleRecord | RequestRecord> {
  return fc.oneof(
    fc.record({
      kind: fc.constantFrom('touch' as const, 'settle' as const),
      paths: fc.array(anyTouch(), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('request' as const),
      number: fc.integer({ min: 1, max: 9 }),
      digest: anyHash(),
      settles: fc.array(anyTouch(), { maxLength: 3 }),
    }),
  );
}

export function anyMessage(): fc.Arbitrary<Message> {
  const touch = anyTouch();
  return fc.oneof(
    fc.record({ kind: fc.constant('message' as const), role: fc.constant('user' as const), text: anyText() }),
    fc.record({
      kind: fc.constant('message' as const),
      role: fc.constant('assistant' as const),
      text: anyText(),
      toolCalls: anyToolCalls(),
    }),
    fc.record({
      kind: fc.constant('message' as const),
      role: fc.constant('tool' as const),
      toolCallId: anyCallId(),
      text: anyText(),
      isError: fc.boolean(),
      details: fc.oneof(
        fc.constant(undefined),
        touch.map((path) => ({ fileAccess: { path } })),
        fc.record({ fileAccess: touch.map((path) => ({ path, line: 3 })), truncated: fc.boolean() }),
      ),
    }),
  );
}

export function anyStartup(): fc.Arbitrary<StartupRecord> {
  const modules = fc.uniqueArray(fc.record({ relPath: anyModulePath(), sha256: anyHash() }), {
    maxLength: 3,
    selector: ({ relPath }) => relPath,
  });
  return fc.record({ kind: fc.constant('startup' as const), text: anyText(), modules });
}

/** Deliveries and tombstones, a path in at most one of the two. */
export function anyInstructions(): fc.Arbitrary<InstructionsRecord> {
  const module = fc.record({ relPath: anyModulePath(), sha256: fc.option(anyHash()), other: fc.option(anyHash()) });
  return fc
    .tuple(
      anyText(),
      fc.uniqueArray(module, { minLength: 1, maxLength: 4, selector: ({ relPath }) => relPath }),
      fc.option(fc.array(anyTouch(), { maxLength: 3 }), { nil: undefined }),
      fc.constantFrom(undefined, undefined, true, false),
    )
    .map(([text, modules, settles, isClaim]) => ({
      kind: 'turn-context',
      context: 'instructions',
      placement: 'after-message',
      text,
      details: {
        instructions: modules.flatMap(({ relPath, sha256, other }) =>
          sha256 === null ? [] : [{ relPath, sha256, supersedes: other }],
        ),
        removed: modules.flatMap(({ relPath, sha256, other }) =>
          sha256 === null ? [{ relPath, successor: other === null ? null : 'AGENTS.override.md' }] : [],
        ),
        ...(settles === undefined ? {} : { settles }),
        ...(isClaim === undefined ? {} : { isClaim }),
      },
    }));
}

/** A host's record. `data` is there even where it is `null`. */
export function anyCustom(): fc.Arbitrary<CustomRecord> {
  return fc.record({ kind: fc.constant('custom' as const), name: fc.constantFrom('mark', 'usage'), data: anyJson() });
}

/** A record of a kind, role or context of a later version. */
export function anyLaterKind(): fc.Arbitrary<Draft> {
  const own = new Set(['id', 'parentId', 'sessionId', 'depth', 'at', 'kind', 'role', 'context']);
  const names = fc
    .oneof(fc.constantFrom('text', 'toolCalls', '__proto__', 'modules'), fc.string())
    .filter((name) => !own.has(name));
  const data = fc.array(fc.tuple(names, anyJson()), { maxLength: 3 }).map((fields) => Object.fromEntries(fields));
  return fc
    .oneof(
      fc.tuple(fc.constantFrom('hologram', 'unknown', 'Message', 'constructor'), data),
      data.map((fields) => ['message', { ...fields, role: 'narrator' }] as const),
      data.map((fields) => ['turn-context', { ...fields, context: 'weather' }] as const),
    )
    .map(([originalKind, fields]) => ({ kind: 'unknown', originalKind, data: fields }));
}

/** Any draft that can be appended anywhere: a compaction among them keeps nothing. */
export function anyDraft(): fc.Arbitrary<Draft> {
  return fc.oneof(
    { weight: 6, arbitrary: anyMessage() },
    { weight: 4, arbitrary: anyInstructions() },
    { weight: 2, arbitrary: anyTouchOrRequest() },
    { weight: 1, arbitrary: anyStartup() },
    { weight: 1, arbitrary: anyText().map((summary): Draft => ({ kind: 'compaction', summary, keepFrom: null })) },
    { weight: 1, arbitrary: fc.constant<Draft>({ kind: 'context-cleared' }) },
    { weight: 1, arbitrary: anyCustom() },
    { weight: 1, arbitrary: anyLaterKind() },
    {
      weight: 1,
      arbitrary: fc.tuple(anyText(), anyJson()).map(
        ([text, details]): Draft => ({
          kind: 'turn-context',
          context: 'other',
          placement: 'after-message',
          text,
          details,
        }),
      ),
    },
  );
}

/** Ids of few sessions, some alike but for letter case, some that are names of devices elsewhere. */
export function anySessionId(): fc.Arbitrary<SessionId> {
  return fc.constantFrom('main', 'main', 'main', 'MAIN', 'con').map((id) => id as SessionId);
}
