import {
  checkDraft,
  type Draft,
  isJournalError,
  JournalError,
  MAX_DRAFT_NESTING,
  MAX_DRAFT_TEXT,
} from '@codicil/journal-records';
import { expect, test } from 'vitest';

const custom = (data: unknown): Draft => ({ kind: 'custom', name: 'x', data });

function refusal(draft: unknown): string {
  try {
    checkDraft(draft as Draft);
    return '';
  } catch (error) {
    expect(isJournalError(error) && error.code).toBe('journal_invalid_draft');
    return error instanceof Error ? error.message : '';
  }
}

test('a checked draft is a frozen copy without the fields that are undefined', () => {
  const draft = {
    kind: 'message',
    role: 'tool',
    toolCallId: 'c',
    text: '',
    isError: false,
    details: undefined,
  } as const;
  const checked = checkDraft(draft);
  expect(checked).toEqual({ kind: 'message', role: 'tool', toolCallId: 'c', text: '', isError: false });
  expect(Object.keys(checked)).not.toContain('details');
  expect(checked).not.toBe(draft);
  const deep = checkDraft(custom({ list: [{}] }));
  expect(Object.isFrozen(deep.kind === 'custom' && (deep.data as { list: object[] }).list[0])).toBe(true);
});

test('negative zero becomes the zero that JSON has', () => {
  const checked = checkDraft(custom(-0));
  expect(checked.kind === 'custom' && Object.is(checked.data, 0)).toBe(true);
});

test('a field named __proto__ stays a field', () => {
  const checked = checkDraft(custom(JSON.parse('{"__proto__":{"polluted":true}}')));
  const data: object = checked.kind === 'custom' ? (checked.data as object) : {};
  expect(Object.hasOwn(data, '__proto__')).toBe(true);
  expect('polluted' in data).toBe(false);
});

test.each<[string, unknown]>([
  ['not a number', Number.NaN],
  ['an infinity', Number.POSITIVE_INFINITY],
  ['a big integer', 1n],
  ['a symbol', Symbol('s')],
  ['a function', () => 0],
  ['undefined in a list', [undefined]],
  ['a hole in a list', new Array(1)],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['bytes', new Uint8Array(1)],
  ['an instance of a class', new (class Thing {})()],
])('%s is refused, as JSON would change it', (_what, value) => {
  expect(refusal(custom(value))).not.toBe('');
});

test('an object of another realm or without a prototype is plain', () => {
  expect(refusal(custom(Object.assign(Object.create(null), { a: 1 })))).toBe('');
});

test('a refusal names the place', () => {
  expect(refusal(custom({ rows: [0, { at: Number.NaN }] }))).toContain('draft.data.rows[1].at is NaN');
});

test('a draft that contains itself is refused', () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(refusal(custom(loop))).toContain('contains itself');
});

test('nesting is taken up to its limit and no deeper', () => {
  const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)]);
  expect(refusal(custom(nest(MAX_DRAFT_NESTING - 1)))).toBe('');
  expect(refusal(custom(nest(MAX_DRAFT_NESTING)))).not.toBe('');
});

test('text is taken up to its limit and no longer', () => {
  const room = MAX_DRAFT_TEXT - 'kind custom name x data'.replaceAll(' ', '').length;
  expect(refusal(custom('x'.repeat(room)))).toBe('');
  expect(refusal(custom('x'.repeat(room + 1)))).not.toBe('');
});

test('two calls of one answer cannot share an id', () => {
  const call = { id: 'c', name: 'read', input: {} };
  expect(refusal({ kind: 'message', role: 'assistant', text: '', toolCalls: [call, call] })).toContain('toolCalls');
});

test('an entry cannot be appended as a draft', () => {
  expect(refusal({ kind: 'rewind', id: 'e', parentId: null, sessionId: 's', depth: 0, at: 0 })).toContain('id');
});

test('an unknown record cannot pose as a known one or as an entry', () => {
  const unknown = (originalKind: unknown, data: unknown) => ({ kind: 'unknown', originalKind, data });
  expect(refusal(unknown('hologram', {}))).toBe('');
  for (const [kind, data] of [
    ['rewind', {}],
    ['message', { role: 'user', text: 'x' }],
    ['message', {}],
    ['', {}],
    ['hologram', null],
    ['hologram', []],
    ['hologram', { id: 'mine' }],
    ['hologram', { kind: 'rewind' }],
  ]) {
    expect(refusal(unknown(kind, data))).not.toBe('');
  }
});

test('an error of another copy of the package is told by its name', () => {
  const foreign = Object.assign(new Error('x'), { name: 'JournalError', code: 'journal_closed' });
  expect(isJournalError(foreign)).toBe(true);
  expect(isJournalError(new JournalError('journal_closed', 'x', { cause: foreign }))).toBe(true);
  expect(isJournalError(new Error('x'))).toBe(false);
  expect(isJournalError(undefined)).toBe(false);
});
