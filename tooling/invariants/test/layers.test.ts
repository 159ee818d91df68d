import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

/** The names of the rules that a made-up workspace breaks, each with the file that breaks it. */
function broken(files: Readonly<Record<string, string>>): readonly string[] {
  const home = mkdtempSync(join(tmpdir(), 'layers-'));
  homes.push(home);
  cpSync('.dependency-cruiser.cjs', join(home, '.dependency-cruiser.cjs'));
  for (const [path, text] of Object.entries({ 'tsconfig.json': '{}', ...files })) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const cruiser = join(process.cwd(), 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const args = [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'packages'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const { summary }: { summary: { violations: readonly { from: string; rule: { name: string } }[] } } =
    JSON.parse(stdout);
  return [...new Set(summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`))].sort();
}

const importing = (name: string) => `export * from '../../${name}/src/index.ts';\n`;
const nothing = 'export const nothing = 0;\n';

test('a package without a layer may not import', () => {
  const files = { 'packages/made-up/src/index.ts': importing('session'), 'packages/session/src/index.ts': nothing };
  expect(broken(files)).toEqual(['without-a-layer: packages/made-up/src/index.ts']);
});

test('a package without a layer may not be imported', () => {
  const files = { 'packages/session/src/index.ts': importing('made-up'), 'packages/made-up/src/index.ts': nothing };
  expect(broken(files)).toContain('without-a-layer: packages/session/src/index.ts');
});

test('a package without a layer is told even where it stands alone', () => {
  expect(broken({ 'packages/made-up/src/index.ts': nothing })).toEqual([
    'without-a-layer: packages/made-up/src/index.ts',
  ]);
});

test('a package whose name begins as the name of a listed one has no layer by that', () => {
  expect(broken({ 'packages/session-store/src/index.ts': nothing })).toEqual([
    'without-a-layer: packages/session-store/src/index.ts',
  ]);
});

test('a package may not import one of its own layer or of a layer above', () => {
  const files = {
    'packages/diagnostics/src/index.ts': importing('project-path'),
    'packages/project-path/src/index.ts': nothing,
    'packages/glob-select/src/index.ts': importing('session'),
    'packages/session/src/index.ts': importing('diagnostics'),
  };
  expect(broken(files)).toEqual([
    'layer-of-diagnostics: packages/diagnostics/src/index.ts',
    'layer-of-glob-select: packages/glob-select/src/index.ts',
  ]);
});

test('the architecture page gives each package of the folder one layer, the one that the rule gives it', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const told = [...page.matchAll(/^\| (\d) \| ([^|]*) \|$/gm)].flatMap(([, layer, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => `${layer} ${name}`),
  );
  const config = readFileSync('.dependency-cruiser.cjs', 'utf8');
  const table = config.slice(config.indexOf('const layers = ['), config.indexOf('];'));
  const ruled = [...table.matchAll(/^ {2}\[(.*)\],$/gm)].flatMap(([, row = ''], layer) =>
    [...row.matchAll(/'([^']+)'/g)].map(([, name]) => `${layer} ${name}`),
  );
  expect(told.sort()).toEqual(ruled.sort());
  expect(ruled.map((line) => line.slice(2)).sort()).toEqual(readdirSync('packages').sort());
});
