import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, median } from './measure.mjs';
import { projectOf } from './trees.mjs';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));
const ADAPTERS = new Map([
  ['journal-sqlite', 'better-sqlite3'],
  ['journal-jsonl', undefined],
]);

/** G16: each import in a process of its own, beside one that imports nothing but a module without a line. */
export async function imports({ rounds, report, isSmoke }) {
  const names = readdirSync(packages).slice(0, isSmoke ? 2 : undefined);
  const starts = (name) => () => {
    const file = name === undefined ? 'data:text/javascript,' : join(packages, name, 'dist', 'index.js');
    const code = `await import(${JSON.stringify(file)})`;
    spawnSync(process.execPath, ['--input-type=module', '-e', code]);
  };
  const cases = Object.fromEntries(names.map((name) => [name, starts(name)]));
  const times = await interleaved(
    { 'empty node': starts(undefined), ...cases },
    { rounds: Math.max(5, rounds), warm: 1 },
  );
  for (const name of names) {
    const added = median(times[name].map((time, round) => time - times['empty node'][round]));
    report('G16', `import of ${name} − an empty process (ms)`, added, 10);
  }
}

/** G17: what a package unpacks to. */
export function sizes({ report }) {
  for (const name of readdirSync(packages)) {
    const folder = join(packages, name);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(join(folder, 'dist'), { recursive: true }).map((file) => join(folder, 'dist', file));
    const bytes = [...files, join(folder, 'README.md'), join(folder, 'package.json')]
      .map((file) => statSync(file))
      .filter((stat) => stat.isFile())
      .reduce((sum, stat) => sum + stat.size, 0);
    report('G17', `${manifest.name}, unpacked (KB)`, bytes / 1_024, ADAPTERS.has(name) ? 60 : 150);
  }
}

/** G15: what a resolver keeps, in a process of its own. */
export function memory({ home, report, modules }) {
  const { root } = projectOf(home, modules);
  const code = `
    import { createHostSource } from '@codicil/file-source-host';
    import { createInstructionResolver } from '@codicil/instruction-modules';
    const source = await createHostSource(${JSON.stringify(root)});
    const used = () => { for (let round = 0; round < 5; round++) gc(); const { heapUsed, external, arrayBuffers } = process.memoryUsage(); return heapUsed + external; };
    { const warm = createInstructionResolver(source); await warm.forPaths(['src/x.ts']); }
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = used();
    const resolver = createInstructionResolver(source);
    await resolver.startup();
    await resolver.forPaths(['src/x.ts', 'packages/y.ts']);
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.stdout.write(String(used() - before));
    globalThis.kept = resolver;`;
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', code], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  });
  report('G15', `retained by a resolver of ${modules} rules (MB)`, Number(stdout) / 1_048_576, 12);
}
