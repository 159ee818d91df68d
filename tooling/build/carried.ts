import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * What a build carries in itself is taken as ES modules. In CommonJS form, which the parser has for Node, it asks for a `require` that no bundle in ES
 * modules has: whoever bundles the package into one file would get a file that fails at the first block that needs the parser.
 */
export function carriedModules(): Plugin {
  return {
    name: 'carried-modules',
    setup(build) {
      build.onResolve({ filter: /^yaml$/ }, ({ resolveDir }) => {
        const manifest = createRequire(join(resolveDir, 'x.js')).resolve('yaml/package.json');
        return { path: join(dirname(manifest), 'browser', 'dist', 'index.js'), sideEffects: false };
      });
    },
  };
}
