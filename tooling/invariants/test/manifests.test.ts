import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Manifest {
  readonly name: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly type?: string;
  readonly license?: string;
  readonly engines?: unknown;
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: unknown;
  readonly files?: readonly string[];
  readonly sideEffects?: boolean;
  readonly scripts?: unknown;
  readonly publishConfig?: { readonly access?: string };
}

const HOME = 'https://github.com/codicil-dev/codicil';
const folders = [...readdirSync('packages').map((name) => `packages/${name}`), 'apps/codicil'];
const read = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const root: { readonly license: string; readonly engines: unknown } = JSON.parse(readFileSync('package.json', 'utf8'));

/** A package that carries the code of another one carries its licence too. */
const carriedNotice = (folder: string): readonly string[] => (existsSync(join(folder, 'NOTICE')) ? ['NOTICE'] : []);

test.each(folders)('%s has the manifest that all have', (folder) => {
  const { name, license, type, engines, homepage, bugs, repository, files, scripts } = read(folder);
  expect({ name, license, type, engines, homepage, bugs, repository, files, scripts }).toEqual({
    name: folder === 'apps/codicil' ? 'codicil' : `@codicil/${folder.slice('packages/'.length)}`,
    license: root.license,
    type: 'module',
    engines: root.engines,
    homepage: `${HOME}/tree/main/${folder}#readme`,
    bugs: `${HOME}/issues`,
    repository: { type: 'git', url: `git+${HOME}.git`, directory: folder },
    // The maps of what is built point into the sources.
    files: ['dist', ...carriedNotice(folder), 'src'],
    scripts: { build: 'tsup --config ../../tooling/build/tsup.config.ts' },
  });
});

test.each(folders)('%s says what it is, and under which words it is found', (folder) => {
  const { description = '', keywords = [] } = read(folder);
  expect(description).toMatch(/^[A-Z`].{20,}\.$/);
  expect(keywords.slice(0, 2)).toEqual(['codicil', 'coding-agent']);
  expect(keywords.length).toBeGreaterThan(2);
  expect(new Set(keywords).size).toBe(keywords.length);
});

test.each(folders.filter((folder) => folder !== 'apps/codicil'))('%s is public and free of side effects', (folder) => {
  const { sideEffects, publishConfig } = read(folder);
  expect([sideEffects, publishConfig?.access]).toEqual([false, 'public']);
  expect(existsSync(join(folder, 'README.md'))).toBe(true);
});
