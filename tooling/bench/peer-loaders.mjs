// Measures the loaders of other programs beside ours, on the same files. A process of its own for `peers.mjs`.
import fs from 'node:fs';
import { join } from 'node:path';
import { createHostSource } from '@codicil/file-source-host';
import { createInstructionResolver } from '@codicil/instruction-modules';
import { coldLimit, nestedLimit } from './limits.mjs';
import { interleaved } from './measure.mjs';
import { layNested } from './nested.mjs';
import { layProject } from './trees.mjs';

const { home, rounds, loaders, results } = JSON.parse(process.argv[2] ?? '');
const agentDir = process.env.HOME ?? '';
fs.mkdirSync(agentDir, { recursive: true });
// Some tell each step on the console; that is not what is measured.
for (const method of /** @type {const} */ (['debug', 'log', 'info', 'warn'])) console[method] = () => {};
/** @type {string[]} */
const failures = [];
/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {string} name
 * @returns {Promise<any>} another program's module: nothing is known of its types
 */
async function load(name) {
  if (loaders[name] === undefined) return undefined;
  try {
    return await import(loaders[name]);
  } catch (error) {
    failures.push(`${name} cannot be imported: ${messageOf(error)}`);
    return undefined;
  }
}

/**
 * Those of the cases that run at all. A peer that fails is told, and left out.
 * @param {Readonly<Record<string, import('./measure.mjs').Act>>} cases
 */
async function runnable(cases) {
  /** @type {Record<string, import('./measure.mjs').Act>} */
  const kept = {};
  for (const [name, run] of Object.entries(cases)) {
    try {
      await run();
      kept[name] = run;
    } catch (error) {
      failures.push(`${name}: ${messageOf(error)}`);
    }
  }
  return kept;
}

/**
 * Ours finds what is in force for one touched file; of the others, those that know no touch load the chain of its folder again.
 * @param {Readonly<Record<string, any>>} modules
 */
async function nested({ pi, gemini, dsh }) {
  const { root, folder, touched } = await layNested(home);
  const resolver = createInstructionResolver(await createHostSource(root));
  const cwd = join(root, folder);
  gemini?.setGeminiMdFilename('AGENTS.md');
  const cases = {
    raw: () => nestedLimit(root, folder),
    codicil: () => resolver.forPaths([touched]),
    ...(pi && { 'pi: the chain of the folder': () => pi.loadProjectContextFiles({ cwd, agentDir }) }),
    ...(gemini && {
      'gemini: a touch': () => gemini.loadJitSubdirectoryMemory(join(root, touched), [root], new Set(), new Set()),
    }),
    ...(dsh && {
      'dsh: the chain of the folder': () =>
        dsh.loadBaselineInstructions({ cwd, dshHome: agentDir, maxBytes: 1_048_576 }),
    }),
  };
  const times = await interleaved(await runnable(cases), { rounds: 3 * rounds, warm: 5 });
  return { title: 'G18 with peers: one touched file, six folders, two files', times, base: 'raw' };
}

/** @param {Readonly<Record<string, any>>} modules */
async function rules({ cline }) {
  const { root, rulesRoot, folders } = await layProject(home, { rules: 1_000, isFlat: true });
  const source = await createHostSource(root);
  const known = createInstructionResolver(source);
  const directories = {
    rules: { directories: [rulesRoot] },
    skills: { directories: [] },
    workflows: { directories: [] },
  };
  const start = async () => {
    const service = cline.createUserInstructionConfigService(directories);
    await service.start();
    if (service.listRecords('rule').length === 0) throw new Error('no rule was found');
    return service;
  };
  const started = cline && (await start().catch(() => undefined));
  const cases = {
    raw: () => coldLimit(rulesRoot),
    'codicil: cold': () => createInstructionResolver(source).forPaths([`${folders[3]}/f.ts`]),
    'codicil: a touch, nothing changed': () => known.forPaths([`${folders[3]}/f.ts`]),
    ...(cline && { 'cline: cold': async () => (await start()).stop() }),
    ...(started && { 'cline: nothing changed': () => started.refreshType('rule') }),
  };
  const times = await interleaved(await runnable(cases), { rounds, warm: 1 });
  return { title: 'G1 with peers: 1000 rules in one folder', times, base: 'raw' };
}

/** @type {Record<string, any>} */
const modules = {};
for (const name of ['pi', 'gemini', 'dsh', 'cline']) modules[name] = await load(name);
const tables = [await nested(modules), await rules(modules)];
fs.writeFileSync(results, JSON.stringify({ tables, failures }));
process.exit(0);
