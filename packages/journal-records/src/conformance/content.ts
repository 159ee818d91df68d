import assert from 'node:assert/strict';
import type { Draft } from '../entry.ts';
import {
  add,
  addAll,
  branchOf,
  type ConformanceCase,
  checkedProjection,
  claiming,
  delivery,
  journalCase,
  main,
  request,
  startup,
  user,
} from './case.ts';

const oddTexts: readonly string[] = [
  '',
  ' ',
  '\uFEFFbyte order mark',
  'a\r\nb\nc\rd\u0085e\u2028f\u2029g',
  'nul \0 bell \x07 escape \x1b[31m delete \x7f',
  'lone \uD800 surrogates \uDC00',
  '"quoted" \\ {"json":true} \'; DROP TABLE entries; --',
  'e\u0301 \u00E9 \u{1F469}\u200D\u{1F4BB} \u{10FFFF} \uFFFF',
  '</instruction_module>',
  '__proto__',
];

export const contentCases: readonly ConformanceCase[] = [
  journalCase('odd text comes back as it went in', async (journal, store) => {
    for (const text of oddTexts) {
      await add(journal, main, user(text));
      await add(journal, main, { kind: 'custom', name: 'odd', data: [text, { [text]: text }] });
    }
    const written = await branchOf(journal, main);
    const texts = written.flatMap((entry) => (entry.kind === 'message' ? [entry.text] : [])).reverse();
    assert.deepEqual(texts, oddTexts);
    assert.deepEqual(await branchOf(await store.open(), main), written);
  }),

  journalCase('texts of a mebibyte come back whole', async (journal, store) => {
    const texts = ['x', '\u00E9', '\u{1F600}', '\n', '\0', '"'].map((unit) => unit.repeat((1024 * 1024) / unit.length));
    for (const text of texts) await add(journal, main, user(text));
    for (const each of [journal, await store.open()]) {
      const branch = await branchOf(each, main);
      for (const [index, entry] of [...branch].reverse().entries()) {
        assert.ok(entry.kind === 'message' && entry.text === texts[index], `text ${index} came back changed`);
      }
      assert.equal(branch.length, texts.length);
    }
  }),

  journalCase('a kind of a later version is kept as it is and changes nothing', async (journal, store) => {
    await add(journal, main, startup(['AGENTS.md', '1']));
    const before = await journal.projection(main);
    const records: readonly Draft[] = [
      { kind: 'unknown', originalKind: 'hologram', data: { colour: 'blue', depths: [1, 2, { three: null }] } },
      { kind: 'unknown', originalKind: 'unknown', data: {} },
      { kind: 'unknown', originalKind: 'message', data: { role: 'narrator', text: 'meanwhile' } },
      { kind: 'unknown', originalKind: 'turn-context', data: { context: 'weather', placement: 'before-message' } },
    ];
    const entries = await addAll(journal, main, ...records);
    const projection = await checkedProjection(journal, main);
    const last = entries.at(-1);
    assert.deepEqual({ ...projection, leaf: before.leaf, depth: before.depth }, before);
    assert.equal(projection.leaf, last?.id);
    for (const each of [journal, await store.open()]) {
      assert.deepEqual((await branchOf(each, main)).slice(0, -1).reverse(), entries);
    }
  }),

  journalCase('fields that a kind does not name are kept', async (journal, store) => {
    const draft = { kind: 'message', role: 'user', text: 'x', attachments: [{ name: 'a.png' }], model: null } as const;
    const entry = await add(journal, main, draft);
    assert.deepEqual(await branchOf(await store.open(), main), [entry]);
    const { attachments, model } = entry as unknown as typeof draft;
    assert.deepEqual({ attachments, model }, { attachments: [{ name: 'a.png' }], model: null });
  }),

  journalCase('every kind of record comes back equal from a new opening', async (journal, store) => {
    const kept = await add(journal, main, startup(['AGENTS.md', 'a'], ['rules/x.md', 'b']));
    await addAll(
      journal,
      main,
      {
        kind: 'message',
        role: 'assistant',
        text: '',
        toolCalls: [{ id: 'c', name: 'n', input: null }],
      },
      { kind: 'touch', paths: ['p', '\uD800'] },
      claiming(delivery('x.md', 'c'), ['p']),
      { kind: 'claim', delivery: kept.id, outcome: 'confirmed' },
      request(1, []),
      { kind: 'message', role: 'tool', toolCallId: 'c', text: 't', isError: true, details: undefined },
      { kind: 'turn-context', context: 'other', placement: 'after-message', text: 'note', details: { deep: [[[]]] } },
      { kind: 'compaction', summary: 's', keepFrom: { id: kept.id, depth: 0 } },
      { kind: 'rewind' },
      { kind: 'context-cleared' },
      { kind: 'custom', name: 'mark', data: 0.1 },
    );
    const reopened = await store.open();
    assert.deepEqual(await branchOf(reopened, main), await branchOf(journal, main));
    assert.deepEqual(await checkedProjection(reopened, main), await checkedProjection(journal, main));
  }),
];
