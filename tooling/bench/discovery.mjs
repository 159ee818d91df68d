import { hash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { createHostSource } from '@codicil/file-source-host';
import { createInstructionResolver } from '@codicil/instruction-modules';
import picomatch from 'picomatch';
import { parse } from 'yaml';
import { interleaved, longestBlock, ratio } from './measure.mjs';
import { projectOf } from './trees.mjs';

const CAP = 262_144;
const buffer = Buffer.allocUnsafeSlow(CAP + 1);
const FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

function walk(root) {
  const files = [];
  const folders = [];
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    folders.push(folder);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) waiting.push(`${folder}/${entry.name}`);
      else if (entry.name.endsWith('.md')) files.push(`${folder}/${entry.name}`);
    }
  }
  return { files, folders };
}

/** What any correct cold pass must do: list, open, look, read, hash. */
function rawCold(root) {
  for (const file of walk(root).files) readAndHash(file);
}

function readAndHash(file) {
  const descriptor = fs.openSync(file, FLAGS);
  const { size } = fs.fstatSync(descriptor);
  let filled = 0;
  while (filled <= CAP) {
    const count = fs.readSync(descriptor, buffer, filled, CAP + 1 - filled, null);
    filled += count;
    if (count === 0 || filled >= size) break;
  }
  fs.closeSync(descriptor);
  return hash('sha256', buffer.subarray(0, filled));
}

/** What any revalidation must do: look at everything that is known. */
function rawStat(known) {
  let sum = 0;
  for (const path of known) sum += fs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return sum;
}

function rulesOf(text) {
  if (!text.startsWith('---\n')) return [];
  return parse(text.slice(4, text.indexOf('\n---', 4)))?.paths ?? [];
}

/** The plain design: everything is listed, read and parsed again at each touch, a promise a call. */
async function plainTrigger(root, touched) {
  const real = await fs.promises.realpath(root);
  const visit = async (folder) => {
    for (const entry of await fs.promises.readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path);
      else if ((await fs.promises.realpath(path)).startsWith(real)) {
        const globs = rulesOf(await fs.promises.readFile(path, 'utf8'));
        for (const glob of globs) touched.some(picomatch(glob, { dot: true }));
      }
    }
  };
  await visit(join(root, '.elowen/rules'));
}

/** The same work as tight as synchronous calls allow. */
function plainTriggerSync(root, touched) {
  for (const file of walk(join(root, '.elowen/rules')).files) {
    fs.realpathSync.native(file);
    const globs = rulesOf(fs.readFileSync(file, 'utf8'));
    for (const glob of globs) touched.some(picomatch(glob, { dot: true }));
  }
}

/** G1–G5. */
export async function discovery({ home, sizes, rounds, report }) {
  for (const rules of sizes) {
    const { root, rulesRoot, folders, aRule } = projectOf(home, rules);
    const { files, folders: ruleFolders } = walk(rulesRoot);
    const known = [...ruleFolders, ...files];
    const touched = [folders[3], folders[11], folders[17]].map((folder) => `${folder}/f.ts`);
    const source = await createHostSource(root);
    const warm = createInstructionResolver(source);
    await warm.startup();
    await warm.forPaths(touched);
    const text = fs.readFileSync(aRule, 'utf8');
    let edits = 0;
    const edit = () => fs.writeFileSync(aRule, `${text}- edited ${edits++}\n`);

    const cold = await interleaved(
      {
        raw: () => rawCold(rulesRoot),
        cold: () => createInstructionResolver(source).startup(),
        'cold, with globs': async () => {
          const resolver = createInstructionResolver(source);
          await resolver.startup();
          await resolver.forPaths(touched);
        },
      },
      { rounds },
    );
    report(
      'G1',
      `cold discovery, ${rules} rules ÷ list, open, read, hash`,
      ratio(cold, 'cold', 'raw'),
      rules < 1_000 ? 2 : 1.5,
    );
    report(
      'G1',
      `the same with globs compiled, ${rules} rules`,
      ratio(cold, 'cold, with globs', 'raw'),
      rules < 1_000 ? 2 : 1.8,
    );

    const triggers = await interleaved(
      {
        raw: () => rawStat(known),
        unchanged: () => warm.forPaths(touched),
        edited: { before: edit, run: () => warm.forPaths(touched) },
        ...(rules <= 1_000 ? { plain: () => plainTrigger(root, touched) } : {}),
        'plain, sync': () => plainTriggerSync(root, touched),
      },
      { rounds },
    );
    fs.writeFileSync(aRule, text);
    report(
      'G2',
      `touch, nothing changed, ${rules} rules ÷ lstat of everything known`,
      ratio(triggers, 'unchanged', 'raw'),
      rules < 1_000 ? 2 : 1.5,
    );
    if (rules <= 1_000)
      report('G3', `the same ÷ the plain design, ${rules} rules`, ratio(triggers, 'unchanged', 'plain'), 1 / 50);
    report(
      'G3',
      `the same ÷ the plain design, synchronous, ${rules} rules`,
      ratio(triggers, 'unchanged', 'plain, sync'),
      1 / 20,
    );
    if (rules >= 1_000)
      report(
        'G4',
        `touch after one edit, ${rules} rules ÷ lstat of everything known`,
        ratio(triggers, 'edited', 'raw'),
        rules < 10_000 ? 2 : 1.5,
      );
    if (rules !== Math.max(...sizes)) continue;
    report(
      'G5',
      `longest block of the event loop, cold, ${rules} rules (ms)`,
      await longestBlock(async () => {
        const resolver = createInstructionResolver(source);
        await resolver.startup();
        await resolver.forPaths(touched);
      }),
      10,
    );
    report('G5', `the same, nothing changed (ms)`, await longestBlock(() => warm.forPaths(touched)), 10);
  }
}

const NAMES = ['AGENTS.override.md', 'AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'];

/** G18. */
export async function nested({ home, rounds, report }) {
  const root = join(home, 'nested');
  const folder = 'packages/app/src/server/api/users';
  fs.mkdirSync(join(root, folder), { recursive: true });
  for (const path of ['packages/app/AGENTS.md', `${folder}/AGENTS.md`])
    fs.writeFileSync(join(root, path), '# Rules\n\n- Be kind.\n'.repeat(40));
  fs.writeFileSync(join(root, folder, 'a.ts'), '');
  const past = new Date(Date.now() - 86_400_000);
  for (const path of ['packages/app/AGENTS.md', `${folder}/AGENTS.md`]) fs.utimesSync(join(root, path), past, past);
  const resolver = createInstructionResolver(await createHostSource(root));
  const raw = () => {
    let place = root;
    for (const segment of ['', ...folder.split('/')]) {
      if (segment !== '') place += `/${segment}`;
      for (const name of NAMES) {
        if (fs.lstatSync(`${place}/${name}`, { throwIfNoEntry: false })?.isFile()) {
          readAndHash(`${place}/${name}`);
          break;
        }
      }
    }
  };
  const REPEAT = 50;
  const times = await interleaved(
    {
      raw: () => {
        for (let round = 0; round < REPEAT; round++) raw();
      },
      nested: async () => {
        for (let round = 0; round < REPEAT; round++) await resolver.forPaths([`${folder}/a.ts`]);
      },
    },
    { rounds },
  );
  report(
    'G18',
    'nested lookup of one touched file ÷ five lstat a folder, read, hash',
    ratio(times, 'nested', 'raw'),
    1.2,
  );
}
