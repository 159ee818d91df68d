import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carriedModules } from '../../../tooling/build/carried.ts';

const folder = join(import.meta.dirname, '..');
const ES_MODULES = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'silent' } as const;
let home = '';
let metafile: Metafile;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'codicil-bundle-'));
  // As the package is built: its dependencies stay outside, the parser is carried.
  const built = await build({
    ...ES_MODULES,
    entryPoints: [join(folder, 'src', 'index.ts')],
    outdir: join(home, 'dist'),
    splitting: true,
    metafile: true,
    external: ['@codicil/*'],
    plugins: [carriedModules()],
  });
  metafile = built.metafile;
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

test('the parser is no part of what an import of the package loads', () => {
  const outputs = Object.entries(metafile.outputs);
  const atOnce = new Set<string>();
  const follow = (file: string): void => {
    if (atOnce.has(file)) return;
    atOnce.add(file);
    for (const { path, kind } of metafile.outputs[file]?.imports ?? []) if (kind === 'import-statement') follow(path);
  };
  for (const [file, { entryPoint }] of outputs) if (entryPoint?.endsWith('index.ts')) follow(file);
  const holdsParser = (file: string): boolean =>
    Object.keys(metafile.outputs[file]?.inputs ?? {}).some((input) => input.includes('/yaml/'));
  expect(atOnce.size).toBeGreaterThan(0);
  expect([...atOnce].filter(holdsParser)).toEqual([]);
  expect(outputs.some(([file]) => holdsParser(file))).toBe(true);
});

test('a program bundled into one file reads what only the parser can, from an empty folder', async () => {
  const program = `
    import { parseFrontmatter } from './dist/index.js';
    const schema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
    const options = { path: 'a.md', schema: () => schema, knownKeys: ['title', 'tags'] };
    const text = '---\\ntitle: >\\n  a\\n  b\\ntags: {x: [1]}\\n---\\nBody.\\n';
    const { kind, data, body } = await parseFrontmatter(new TextEncoder().encode(text), options);
    process.stdout.write(JSON.stringify({ kind, data, body }));
  `;
  const empty = mkdtempSync(join(tmpdir(), 'codicil-empty-'));
  const outfile = join(empty, 'program.mjs');
  try {
    await build({
      ...ES_MODULES,
      stdin: { contents: program, resolveDir: home },
      outfile,
      conditions: ['@codicil/source'],
      nodePaths: [join(folder, 'node_modules')],
    });
    const output = execFileSync(process.execPath, [outfile], { cwd: empty, encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual({
      kind: 'data',
      data: { title: 'a b\n', tags: { x: [1] } },
      body: 'Body.\n',
    });
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
});
