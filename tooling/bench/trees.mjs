import { hash } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { random } from './measure.mjs';

/** @typedef {import('./measure.mjs').Random} Random */

const EXTENSIONS = ['ts', 'tsx', 'js', 'css', 'json', 'py', 'go', 'md'];
const WORDS = ['api', 'queue', 'cache', 'router', 'schema', 'policy', 'export', 'import', 'review', 'session'];
/** Milliseconds after which no stamp of a file counts as too young to be trusted. */
const SETTLING = 3_000;

/**
 * @param {Random} next
 * @param {readonly string[]} values
 */
const one = (next, values) => values[Math.floor(next() * values.length)] ?? '';

/**
 * A glob as rule sets in the wild have them: a folder and an ending, mostly.
 * @param {Random} next
 * @param {readonly string[]} folders
 */
export function globOf(next, folders) {
  const folder = one(next, folders);
  const extension = one(next, EXTENSIONS);
  const word = one(next, WORDS);
  const kind = next();
  if (kind < 0.45) return `${folder}/**/*.${extension}`;
  if (kind < 0.65) return `${folder}/**`;
  if (kind < 0.75) return `${folder}/*.${extension}`;
  if (kind < 0.83) return `**/*.${word}.${extension}`;
  if (kind < 0.9) return `**/${word}/**`;
  if (kind < 0.95) return `${folder}/f${Math.floor(next() * 40)}.${extension}`;
  if (kind < 0.98) return `${folder.split('/')[0]}/**/${word}-*.${extension}`;
  return `${folder}/?${Math.floor(next() * 40)}.${extension}`;
}

/**
 * @param {Random} next
 * @param {number} count
 */
export function foldersOf(next, count) {
  return Array.from({ length: count }, (_, index) => {
    let folder = ['src', 'packages', 'apps', 'tests', 'docs'][index % 5] ?? '';
    const depth = 1 + Math.floor(next() * 4);
    for (let level = 0; level < depth; level++) folder += `/d${Math.floor(next() * 6)}`;
    return folder;
  });
}

/**
 * From 80 bytes to 24 KB, most of them near 1.5 KB.
 * @param {Random} next
 * @param {string} title
 */
function markdown(next, title) {
  const spread = Math.exp(1.6 * (next() + next() + next() - 1.5));
  const size = Math.min(24_000, Math.max(80, Math.round(1_500 * spread)));
  let text = `# ${title}\n\n`;
  while (text.length < size) text += `- ${one(next, WORDS)} ${one(next, WORDS)} ${one(next, WORDS)}.\n`;
  return text;
}

/**
 * Lays files down below a folder, unless the same ones lie there since an earlier run.
 * @param {string} root
 * @param {ReadonlyMap<string, string>} files
 */
export async function layFiles(root, files) {
  const marker = `${root}.laid`;
  const content = hash('sha256', JSON.stringify([...files]));
  if (fs.existsSync(marker) && fs.readFileSync(marker, 'utf8') === content) return;
  fs.rmSync(root, { recursive: true, force: true });
  const past = new Date(Date.now() - 86_400_000);
  for (const [path, text] of files) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text);
    fs.utimesSync(join(root, path), past, past);
  }
  fs.writeFileSync(marker, content);
  await setTimeout(SETTLING);
}

/**
 * A project of so many rules, nine in ten of them conditional, with nested files in up to eighty folders. `isFlat`: its rules lie in one folder.
 * @param {string} home
 * @param {{ readonly rules: number, readonly isFlat?: boolean }} o
 */
export async function layProject(home, { rules, isFlat = false }) {
  const next = random(rules);
  const root = join(home, isFlat ? `flat-rules-${rules}` : `rules-${rules}`);
  const folders = foldersOf(next, Math.min(400, 40 + rules / 10));
  const ruleFolders = Array.from({ length: Math.max(10, Math.round(rules / 33)) }, () =>
    isFlat ? '.elowen/rules' : `.elowen/rules/g${Math.floor(next() * 8)}/h${Math.floor(next() * 40)}`,
  );
  const files = new Map([
    ['.git/HEAD', 'ref: refs/heads/main\n'],
    ['AGENTS.md', markdown(next, 'Root')],
  ]);
  for (const folder of folders.slice(0, 80)) files.set(`${folder}/AGENTS.md`, markdown(next, folder));
  for (const folder of folders) files.set(`${folder}/f.ts`, '');
  for (let index = 0; index < rules; index++) {
    const globs = Array.from({ length: 1 + Math.floor(next() * 3) }, () => globOf(next, folders));
    const block = next() < 0.9 ? `---\npaths:\n${globs.map((glob) => `  - "${glob}"\n`).join('')}---\n` : '';
    files.set(`${ruleFolders[index % ruleFolders.length]}/r${index}.md`, block + markdown(next, `Rule ${index}`));
  }
  await layFiles(root, files);
  return { root, rulesRoot: join(root, '.elowen/rules'), folders, aRule: join(root, [...files.keys()].at(-1) ?? '') };
}
