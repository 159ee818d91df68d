import { mkdtempSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles a TypeScript fixture from the packages' sources, so that a test can run it in another process: the path of a file for plain `node`.
 * It lies under the package's `node_modules`, where its native dependencies are found.
 */
export async function childProgram(packageFolder: string, fixture: string): Promise<string> {
  const cache = join(packageFolder, 'node_modules', '.child-programs');
  await mkdir(cache, { recursive: true });
  const outfile = join(mkdtempSync(join(cache, 'p-')), 'program.mjs');
  await build({
    entryPoints: [join(packageFolder, fixture)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@codicil/source'],
    external: ['better-sqlite3'],
    banner: {
      js: "import { createRequire as bannerRequire } from 'node:module'; const require = bannerRequire(import.meta.url);",
    },
    logLevel: 'silent',
  });
  return outfile;
}
