import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { defineConfig } from 'tsup';
import { carriedModules } from './carried.ts';
import { emitDeclarations } from './declarations.ts';

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly '@codicil/source'?: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const sources = Object.values(manifest.exports ?? {}).flatMap((target) =>
  typeof target === 'string' || target['@codicil/source'] === undefined ? [] : [target['@codicil/source']],
);
const commands = Object.values(manifest.bin ?? {}).map((file) =>
  file.replace('./dist/', 'src/').replace(/\.js$/, '.ts'),
);

/** One build for every package: its entries are the ones that its own manifest names. */
export default defineConfig({
  entry: [...sources, ...commands],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  clean: true,
  splitting: true,
  // The sources are published beside the maps, so that the maps need not hold them once more.
  sourcemap: true,
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  treeshake: true,
  esbuildPlugins: [carriedModules()],
  // What others wrote is carried small; our own code stays as it can be read.
  plugins: [
    {
      name: 'carried-small',
      async renderChunk(code, { path }) {
        if (!/[\\/]yaml-parser-\w+\.js$/.test(path)) return undefined;
        return { code: (await transform(code, { minify: true, format: 'esm', target: 'node20' })).code };
      },
    },
  ],
  tsconfig: '../../tooling/build/tsconfig.json',
  async onSuccess() {
    if (commands.length === 0) emitDeclarations('src', 'dist');
  },
});
