import { blockText, nearlyPlainBlock, sourceBytes, sourceText } from '@codicil/arbitraries/frontmatter';
import { NAME_CHARACTERS } from '@codicil/arbitraries/names';
import { type Frontmatter, parseFrontmatter, readPlainFrontmatter, splitFrontmatter } from '@codicil/frontmatter';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const schema = z.strictObject({ paths: z.array(z.string()).min(1) });
type Data = z.infer<typeof schema>;

const TELLING_KEYS = ['path', 'globs', 'glob', 'applyTo', 'alwaysApply'];

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (bytes: Uint8Array, knownKeys: readonly string[] = ['paths']): Promise<Frontmatter<Data>> =>
  parseFrontmatter(bytes, { path: 'r.md', schema: () => schema, knownKeys, tellingKeys: TELLING_KEYS });

test('F1 the body is an exact suffix of the source, and the parts before it are all there is', async () => {
  await fc.assert(
    fc.property(sourceBytes, (bytes) => {
      const split = splitFrontmatter(bytes, { path: 'r.md', maxBlockBytes: 16_384 });
      if (split.kind === 'invalid') return;
      const text = Buffer.from(bytes).toString('latin1');
      const mark = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0;
      if (split.kind === 'none') expect(split.bodyStart).toBe(mark);
      else {
        expect(text.slice(mark, split.blockStart)).toMatch(/^---[ \t]*\r?\n$/);
        expect(text.slice(split.blockEnd, split.bodyStart)).toMatch(/^---[ \t]*(?:\r?\n|$)$/);
        if (!text.slice(0, split.bodyStart).endsWith('\n')) expect(split.bodyStart).toBe(text.length);
        expect(split.blockEnd).toBeGreaterThanOrEqual(split.blockStart);
        expect(text.slice(split.blockStart, split.blockEnd)).not.toMatch(/^---[ \t]*\r?$/m);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('F1 a body survives whatever it holds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('', '\ufeff'),
      fc.constantFrom('\n', '\r\n', ' \t\n'),
      fc.oneof(sourceText, fc.string({ unit: 'grapheme' })).filter((body) => !body.includes('\0')),
      async (mark, end, body) => {
        const bytes = encode(`${mark}---${end}paths: ["src/**"]${end.trimStart() || '\n'}---${end}${body}`);
        const outcome = await read(bytes);
        expect(outcome.kind).toBe('data');
        if (outcome.kind === 'data')
          expect(Buffer.from(bytes.subarray(outcome.bodyStart)).equals(encode(body))).toBe(true);
        if (outcome.kind === 'data') expect(encode(outcome.body)).toEqual(encode(body));
      },
    ),
  );
});

test('F2 a block that is not certainly right is invalid, and the parser agrees with what is used', async () => {
  await fc.assert(
    fc.asyncProperty(blockText, fc.constantFrom('\n', '\r\n'), async (block, end) => {
      const bytes = encode(`---${end}${block}\n---\nbody`);
      const split = splitFrontmatter(bytes, { path: 'r.md', maxBlockBytes: 16_384 });
      if (split.kind !== 'block') throw new Error('the fences are right');
      const inner = Buffer.from(bytes.subarray(split.blockStart, split.blockEnd)).toString();
      const outcome = await read(bytes);
      if (outcome.kind === 'none') expect(parse(inner) ?? {}).toEqual({});
      if (outcome.kind !== 'data') return;
      expect(schema.parse(parse(inner))).toEqual(outcome.data);
      for (const [index, text] of outcome.data.paths.entries()) {
        const range = outcome.ranges.item('paths', index);
        const line = inner.split(/\r?\n/)[(range?.start.line ?? 0) - 2] ?? '';
        if (range?.start.line === range?.end.line) {
          const shown = line.slice((range?.start.column ?? 0) - 1, (range?.end.column ?? 0) - 1);
          expect(parse(shown === '' ? '""' : shown)).toBe(text);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

test('F2 a block that says nothing is none, however it says it', async () => {
  const blank = fc.constantFrom('', '\n', '# c\n', '  # c\n', '   \n', '\r\n', '\n\n');
  const nothing = fc.constantFrom('', '{}', '{ }', '{\n}', '{  # c\n}', '~', 'null', 'Null', 'NULL');
  const behind = fc.constantFrom('\n', ' # c\n', '\r\n', '  \n');
  await fc.assert(
    fc.asyncProperty(blank, fc.constantFrom('', ' ', '    '), nothing, behind, blank, async (...parts) => {
      const outcome = await read(encode(`---\n${parts.join('')}---\nbody\n`));
      expect(outcome).toMatchObject({ kind: 'none', body: 'body\n', diagnostics: [] });
    }),
    { numRuns: 300 },
  );
});

test('F2 the hand path answers what the parser answers', async () => {
  await fc.assert(
    fc.property(fc.oneof(blockText, nearlyPlainBlock), (block) => {
      const bytes = encode(`---\n${block}\n---\nbody`);
      let fast: readonly string[] | undefined;
      readPlainFrontmatter<Data>(bytes, {
        path: 'r.md',
        schema: () => schema,
        knownKeys: ['paths', 'null', 'constructor'],
        acceptPlainList: (key, items) => {
          const value: unknown = parse(`${block}\n`);
          expect(value).toEqual({ [key]: items });
          fast = items;
          return { paths: [...items] };
        },
      });
      if (fast !== undefined) expect(fast.length).toBeGreaterThan(0);
    }),
    { numRuns: 3_000 },
  );
});

test('F2 the hand path answers what the parser answers, whatever character stands anywhere in the plain shape', () => {
  const shapes = (character: string): readonly string[] => [
    `paths:\n  - ${character}`,
    `paths:\n  - a${character}`,
    `paths:\n  - a${character}b`,
    `paths:\n  - ${character}a`,
    `paths:\n  - "a${character}b"`,
    `paths:\n  - 'a${character}b'`,
    `paths:\n  - "a"${character}`,
    `paths:\n  - "a" # ${character}`,
    `paths:\n  -${character}"a"`,
    `paths:\n ${character} - "a"`,
    `paths:${character}["a"]`,
    `paths: ["a${character}b", 'a${character}b']`,
    `paths: ["a"${character}"b"]`,
    `paths: ["a"]${character}`,
    `paths: ["a"] #${character}`,
    `${character}\npaths: ["a"]`,
    `${character}paths: ["a"]`,
    `paths${character}: ["a"]`,
    `# ${character}\npaths: ["a"]`,
  ];
  for (const character of [...NAME_CHARACTERS, '/', '\n', '\ufffd']) {
    for (const block of shapes(character)) {
      readPlainFrontmatter<Data>(encode(`---\n${block}\n---\nbody`), {
        path: 'r.md',
        schema: () => schema,
        knownKeys: ['paths'],
        acceptPlainList: (key, items) => {
          expect(parse(`${block}\n`), block).toEqual({ [key]: items });
          return { paths: [...items] };
        },
      });
    }
  }
});

test('F2 a fence out of place above a telling key never makes the source unconditional', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('', '\n', ' ', '\t', '\u200b', '\u00a0', '\ufeff\ufeff', '<!-- a\nb -->\n', '\r\n\r\n'),
      fc.constantFrom('---', '----', '--- # x', '---js', '—-', '–––', '+++', '___', '---\t'),
      fc.constantFrom('paths', 'path', 'globs', 'glob', 'applyTo', 'alwaysApply'),
      fc.nat({ max: 18 }),
      async (before, fence, key, gap) => {
        const outcome = await read(encode(`${before}${fence}\n${'# c\n'.repeat(gap)}${key}: ["src/**"]\nx\n`));
        expect(outcome.kind).toBe('invalid');
      },
    ),
    { numRuns: 300 },
  );
});

test('F3 any bytes get an answer, and an invalid one says why', async () => {
  await fc.assert(
    fc.asyncProperty(sourceBytes, async (bytes) => {
      const outcome = await read(bytes);
      if (outcome.kind === 'invalid') expect(outcome.diagnostics.length).toBeGreaterThan(0);
      else expect(outcome.bodyStart).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: 2_000 },
  );
});

test('F3 nesting of any depth and kind is answered without running out of stack', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        '[',
        '{',
        '- ',
        '? ',
        '[{',
        '{a: ',
        '[a: ',
        'a: [',
        '!x [',
        '&a [',
        '- [',
        '"',
        "'",
        '[\n',
        '- \n',
        ': ',
      ),
      fc.constantFrom('', 'paths: ', 'paths:\n  - '),
      fc.integer({ min: 1, max: 16_000 }),
      async (unit, before, count) => {
        const block = before + unit.repeat(Math.floor(Math.min(count, 16_000 / unit.length)));
        expect((await read(encode(`---\n${block}\n---\n`))).kind).not.toBe('none');
      },
    ),
    { numRuns: 150 },
  );
});

test('F3 a block over the cap is refused unread, at any size', async () => {
  await fc.assert(
    fc.property(fc.integer({ min: -3, max: 3 }), fc.constantFrom(64, 1_000), (over, cap) => {
      const head = 'paths: ["a"]\n#';
      const block = `${head}${'x'.repeat(cap + over - head.length - 1)}\n`;
      const split = splitFrontmatter(encode(`---\n${block}---\n`), { path: 'r.md', maxBlockBytes: cap });
      expect(split.kind).toBe(over > 0 ? 'invalid' : 'block');
    }),
  );
});

test('F3 brackets are counted before anything recurses into them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 33, max: 200 }), async (depth) => {
      const outcome = await read(encode(`---\npaths: ${'['.repeat(depth)}${']'.repeat(depth)}\n---\n`));
      expect(outcome).toMatchObject({
        kind: 'invalid',
        diagnostics: [{ code: 'frontmatter_yaml', range: { start: { line: 2, column: 'paths: '.length + 33 } } }],
      });
    }),
  );
});

test('F3 however many faults a block has, a few of each code are told and the rest is counted', async () => {
  const unit = fc.constantFrom(
    '*a, ',
    '&a b, ',
    '!a b, ',
    '<<: x\n',
    'a: 1\n',
    '- b\n',
    '"\\q"\n',
    '{a, ',
    'a #c\n',
    '? \n',
  );
  await fc.assert(
    fc.asyncProperty(unit, fc.constantFrom('', 'paths: [', 'paths:\n'), fc.nat(800), async (fault, head, count) => {
      const many = fault.repeat(Math.min(count, Math.floor(16_000 / fault.length)));
      const outcome = await read(encode(`---\n${head}${many}\n---\n`));
      const codes = new Map<string, number>();
      for (const { code } of outcome.diagnostics) codes.set(code, (codes.get(code) ?? 0) + 1);
      for (const [code, told] of codes) expect(told, code).toBeLessThanOrEqual(21);
    }),
    { numRuns: 60 },
  );
});
