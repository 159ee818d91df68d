// Prints what a resolver keeps of a project, in bytes. A process of its own for `memory.mjs`. usage: node --expose-gc retained.mjs ROOT
import { setTimeout } from 'node:timers/promises';
import { createHostSource } from '@codicil/file-source-host';
import { createInstructionResolver } from '@codicil/instruction-modules';

async function used() {
  await setTimeout(50);
  for (let round = 0; round < 5; round++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const source = await createHostSource(process.argv[2] ?? '');
const touched = ['src/x.ts', 'packages/y.ts'];

/** Whatever is loaded and compiled once belongs to no resolver. */
async function warmUp() {
  const resolver = createInstructionResolver(source);
  await resolver.startup();
  await resolver.forPaths(touched);
}

await warmUp();
const before = await used();
const resolver = createInstructionResolver(source);
await resolver.startup();
await resolver.forPaths(touched);
process.stdout.write(String((await used()) - before));
await resolver.status([]);
