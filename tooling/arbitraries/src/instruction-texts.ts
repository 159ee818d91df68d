import fc from 'fast-check';

/** Globs of the dialect that hit the folders of `anyTree` often enough, and some that hit nothing. */
export const GLOBS: readonly string[] = [
  '**',
  '**/*.ts',
  'src/**',
  'src/*.ts',
  'src/**/a.?s',
  '*.ts',
  'docs/**',
  '[id]/**',
  'caf\u00e9/**',
  'cafe\u0301/**',
  '**/.dot/**',
  'none/**',
];

const LINES = [
  '# Title',
  'Use tabs.',
  '',
  '---',
  '<b>&amp;',
  '</instruction_module>',
  'caf\u00e9',
  'cafe\u0301',
  '\u{1f600}\u2028',
  'x  ',
];

/** What stands before the body of a rule that is to be refused, one a kind of fault. */
export const BROKEN_BLOCKS: readonly string[] = [
  '---\npaths: [src/**]\n',
  '---\n- src/**\n---\n',
  '---\npaths: src/**\n---\n',
  '---\npaths: []\n---\n',
  '---\npaths:\n---\n',
  '---\npaths: [1]\n---\n',
  '---\npaths: [""]\n---\n',
  '---\npaths: [**/*.ts]\n---\n',
  '---\npaths: [&a "x", *a]\n---\n',
  '---\npaths: [!!str x]\n---\n',
  '---\npaths: ["a"]\npaths: ["b"]\n---\n',
  '---\nglobs: ["a"]\n---\n',
  '---\npaths: ["a"]\ntitle: t\n---\n',
  '---\n\tpaths: ["a"]\n---\n',
  '---\npaths: ["/abs/**"]\n---\n',
  '---\npaths: ["../up/**"]\n---\n',
  '---\npaths: ["a//b"]\n---\n',
  '---\npaths: ["a/"]\n---\n',
  '---\npaths: ["a\\\\b"]\n---\n',
  '---\npaths: ["ok/**", "./a"]\n---\n',
  '--- # note\npaths: ["a"]\n---\n',
  '\n---\npaths: ["a"]\n---\n',
  '<<<<<<< ours\n---\npaths: ["a"]\n=======\n---\npaths: ["b"]\n>>>>>>> theirs\n---\n',
];

/** A few lines of Markdown, or nothing; line ends LF or CRLF, sometimes without the last one. */
export function anyBody(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.constantFrom(...LINES), { maxLength: 4 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, end, open]) => lines.join(end) + (open || lines.length === 0 ? '' : end));
}

/** A frontmatter block that makes a rule conditional, in one of the spellings of a list. */
export function anyPathsBlock(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.uniqueArray(fc.constantFrom(...GLOBS), { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([globs, flow]) => {
      const quoted = globs.map((glob) => JSON.stringify(glob));
      return flow
        ? `---\npaths: [${quoted.join(', ')}]\n---\n`
        : `---\npaths:\n${quoted.map((glob) => `  - ${glob}\n`).join('')}---\n`;
    });
}

/** The text of a rule module: conditional, unconditional or broken; sometimes with a byte order mark, sometimes all in CRLF. */
export function anyRuleText(): fc.Arbitrary<string> {
  const block = fc.oneof(
    {
      arbitrary: fc.constantFrom(
        '',
        '---\n---\n',
        '---\n# nothing\n---\n',
        '---\n{} # nothing\n---\n',
        '---\n~\n---\n',
      ),
      weight: 2,
    },
    { arbitrary: anyPathsBlock(), weight: 4 },
    { arbitrary: fc.constantFrom(...BROKEN_BLOCKS), weight: 2 },
  );
  const mark = fc.oneof({ arbitrary: fc.constant(''), weight: 4 }, { arbitrary: fc.constant('\ufeff'), weight: 1 });
  const crlf = fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, { arbitrary: fc.constant(true), weight: 1 });
  return fc
    .tuple(mark, block, anyBody(), crlf)
    .map(
      ([bom, head, body, carriage]) => `${bom}${carriage ? (head + body).replaceAll(/\r?\n/g, '\r\n') : head + body}`,
    );
}

/** Bytes that no strict decoder takes: broken UTF-8, another encoding, a NUL. */
export function anyUndecodable(): fc.Arbitrary<Uint8Array> {
  return fc
    .constantFrom(
      [0xff, 0xfe, 0x61, 0x00],
      [0x61, 0xc3],
      [0xe2, 0x82],
      [0xed, 0xa0, 0x80],
      [0x61, 0x00, 0x62],
      [0xc0, 0xaf],
    )
    .map((bytes) => Uint8Array.from(bytes));
}

/** The text cut or filled with `x` to exactly so many bytes of ASCII. */
export function filledTo(size: number): string {
  return `# filled\n${'x'.repeat(size)}`.slice(0, size);
}
