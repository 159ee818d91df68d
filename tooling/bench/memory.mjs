import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { walk } from './limits.mjs';
import { layProject } from './trees.mjs';

const MEGABYTE = 1_048_576;

/**
 * G15.
 * @param {import('./report.mjs').Context} context
 */
export async function memory({ home, report, isSmoke }) {
  const rules = isSmoke ? 20 : 10_000;
  const { root, rulesRoot } = await layProject(home, { rules });
  const program = fileURLToPath(new URL('retained.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', program, root], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  const bytes = walk(rulesRoot).files.reduce((sum, file) => sum + fs.statSync(file).size, 0);
  report.note(`the ${rules} rules are ${(bytes / MEGABYTE).toFixed(1)} MB on the disk`);
  report.goal('G15', `retained by a resolver of ${rules} rules (MB)`, Number(stdout) / MEGABYTE, 12);
}
