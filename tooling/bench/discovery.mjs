import fs from 'node:fs';
import { createHostSource } from '@codicil/file-source-host';
import { createInstructionResolver } from '@codicil/instruction-modules';
import { coldLimit, statLimit, walk } from './limits.mjs';
import { interleaved, longestBlock, median, ratio } from './measure.mjs';
import { plainTrigger, plainTriggerSync } from './plain-design.mjs';
import { layProject } from './trees.mjs';

/**
 * @typedef {object} Tree
 * @property {number} rules
 * @property {Awaited<ReturnType<typeof layProject>>} project
 * @property {Awaited<ReturnType<typeof createHostSource>>} source
 * @property {readonly string[]} touched
 * @typedef {import('./report.mjs').Context & Tree} Subject
 */

/**
 * G1–G5.
 * @param {import('./report.mjs').Context} context
 */
export async function discovery(context) {
  const sizes = context.isSmoke ? [20] : [100, 1_000, 10_000];
  for (const rules of sizes) {
    const project = await layProject(context.home, { rules });
    const source = await createHostSource(project.root);
    const touched = [3, 11, 17].map((index) => `${project.folders[index]}/f.ts`);
    const subject = { ...context, rules, project, source, touched };
    if (context.report.wants('G1')) await cold(subject);
    if (context.report.wants('G2', 'G3', 'G4')) await touches(subject);
    if (rules === sizes.at(-1) && context.report.wants('G5')) await blocks(subject);
  }
}

/**
 * A short case is asked more often.
 * @param {number} rules
 * @param {number} rounds
 */
const roundsFor = (rules, rounds) => (rules < 1_000 ? 4 * rounds : rounds);

/** @param {Subject} subject */
async function cold({ rules, project, source, touched, rounds, report }) {
  const times = await interleaved(
    {
      'raw A': () => coldLimit(project.rulesRoot),
      'list alone': () => walk(project.rulesRoot),
      'startup of a new resolver': () => createInstructionResolver(source).startup(),
      'first touch of a new resolver': () => createInstructionResolver(source).forPaths(touched),
    },
    { rounds: roundsFor(rules, rounds) },
  );
  report.table(`cold discovery of ${rules} rules`, times, 'raw A');
  const isSmall = rules < 1_000;
  report.goal(
    'G1',
    `cold discovery of ${rules} rules ÷ list, open, read, hash`,
    ratio(times, 'startup of a new resolver', 'raw A'),
    isSmall ? 2 : 1.5,
  );
  report.goal(
    'G1',
    `the same of ${rules} rules, with their globs compiled and matched`,
    ratio(times, 'first touch of a new resolver', 'raw A'),
    isSmall ? 2 : 1.8,
  );
}

/** @param {Subject} subject */
async function touches({ rules, project, source, touched, rounds, report }) {
  const { files, folders } = walk(project.rulesRoot);
  const known = [...folders, ...files];
  const resolver = createInstructionResolver(source);
  await resolver.forPaths(touched);
  const text = fs.readFileSync(project.aRule, 'utf8');
  let edits = 0;
  const edit = () => fs.writeFileSync(project.aRule, `${text}- edited ${edits++}\n`);
  const touch = () => resolver.forPaths(touched);

  const times = await interleaved(
    {
      'raw B': () => statLimit(known),
      'touch, nothing changed': touch,
      'touch after an edit': { before: edit, run: touch },
      'plain design, synchronous': () => plainTriggerSync(project.root, touched),
    },
    { rounds: roundsFor(rules, rounds) },
  );
  fs.writeFileSync(project.aRule, text);
  // Its seconds would disturb the others, so it runs apart; what it is compared to runs beside it.
  const apart = await interleaved(
    { 'touch, nothing changed': touch, 'plain design': () => plainTrigger(project.root, touched) },
    { rounds: rules < 10_000 ? rounds : 3, warm: 1 },
  );
  report.table(`touch of 3 files beside ${rules} rules`, times, 'raw B');
  report.table(`the same beside the plain design, a promise a call`, apart, 'touch, nothing changed');
  report.goal(
    'G2',
    `touch, nothing changed, ${rules} rules ÷ lstat of everything known`,
    ratio(times, 'touch, nothing changed', 'raw B'),
    rules < 1_000 ? 2 : 1.5,
  );
  report.goal(
    'G3',
    `the same, ${rules} rules ÷ the plain design`,
    ratio(apart, 'touch, nothing changed', 'plain design'),
    1 / 50,
  );
  report.goal(
    'G3',
    `the same, ${rules} rules ÷ the plain design, synchronous`,
    ratio(times, 'touch, nothing changed', 'plain design, synchronous'),
    1 / 20,
  );
  if (rules < 1_000) return;
  report.goal(
    'G4',
    `touch after one edit, ${rules} rules ÷ lstat of everything known`,
    ratio(times, 'touch after an edit', 'raw B'),
    rules < 10_000 ? 2 : 1.5,
  );
}

/** @param {Subject} subject */
async function blocks({ rules, project, source, touched, rounds, report }) {
  const known = createInstructionResolver(source);
  await known.forPaths(touched);
  const calls = {
    'raw A, not sliced': async () => coldLimit(project.rulesRoot),
    'startup of a new resolver': () => createInstructionResolver(source).startup(),
    'first touch of a new resolver': () => createInstructionResolver(source).forPaths(touched),
    'touch, nothing changed': () => known.forPaths(touched),
  };
  const measured = Object.entries(calls).map(([name, call]) => ({ name, call, blocks: /** @type {number[]} */ ([]) }));
  for (let round = -1; round < rounds; round++) {
    for (const { call, blocks } of measured) {
      globalThis.gc?.();
      const block = await longestBlock(call);
      if (round >= 0) blocks.push(block);
    }
  }
  const longest = Object.fromEntries(measured.map(({ name, blocks }) => [name, blocks]));
  report.table(`longest block of the event loop, ${rules} rules`, longest, 'raw A, not sliced');
  for (const { name, blocks } of measured.slice(1)) {
    report.goal('G5', `longest block of the event loop, ${name}, ${rules} rules (ms)`, median(blocks), 10);
  }
}
