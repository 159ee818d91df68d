import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { random } from './measure.mjs';

const EXTENSIONS = ['ts', 'tsx', 'js', 'css', 'json', 'py', 'go', 'md'];
const WORDS = ['api', 'queue', 'cache', 'router', 'schema', 'policy', 'export', 'import', 'review', 'session'];

/** A glob as rule sets in the wild have them: a folder and an ending, mostly. */
export function globOf(next, folders) {
  const folder = folders[Math.floor(next() * folders.length)];
  const extension = EXTENSIONS[Math.floor(next() * EXTENSIONS.length)];
  const word = WORDS[Math.floor(next() * WORDS.length)];
  const kind = next();
  if (kind < 0.45) return `${folder}/**/*.${extension}`;
  if (kind < 0.65) return `${folder}/**`;
  if (kind < 0.75) return `${folder}/*.${extension}`;
  if (kind < 0.83) return `**/*.${word}.${extension}`;
  if (kind < 0.9) return `**/${word}/**`;
  if (kind < 0.95) return `${folder}/f${Math.floor(next() * 40)}.${extension}`;
  return `${folder.split('/')[0]}/**/${word}-*.${extension}`;
}

export function foldersOf(next, count) {
  return Array.from({ length: count }, (_, index) => {
    let folder = ['src', 'packages', 'apps', 'tests', 'docs'][index % 5];
    const depth = 1 + Math.floor(next() * 4);
    for (let level = 0; level < depth; level++) folder += `/d${Math.floor(next() * 6)}`;
    return folder;
  });
}

function markdown(next, title) {
  const size = Math.min(24_000, Math.max(80, Math.round(1_500 * Math.exp(0.8 * (next() + next() + next() - 1.5) * 2))));
  let text = `# ${title}\n\n`;
  while (text.length < size)
    text += `- ${WORDS[Math.floor(next() * WORDS.length)]} ${WORDS[Math.floor(next() * WORDS.length)]}.\n`;
  return text;
}

/** Lays a project of so many rules down, once; nine in ten are conditional. Its files are made to look a day old. */
export function projectOf(home, rules) {
  const next = random(rules);
  const root = join(home, `project-${rules}`);
  const folders = foldersOf(next, Math.min(400, 40 + rules / 10));
  const ruleFolders = Array.from(
    { length: Math.max(10, Math.round(rules / 33)) },
    () => `.elowen/rules/g${Math.floor(next() * 8)}/h${Math.floor(next() * 40)}`,
  );
  const files = new Map([['AGENTS.md', markdown(next, 'Root')]]);
  for (const folder of folders.slice(0, 80)) files.set(`${folder}/AGENTS.md`, markdown(next, folder));
  for (const folder of folders) files.set(`${folder}/f.ts`, '');
  for (let index = 0; index < rules; index++) {
    const globs = Array.from({ length: 1 + Math.floor(next() * 3) }, () => globOf(next, folders));
    const block = next() < 0.9 ? `---\npaths:\n${globs.map((glob) => `  - "${glob}"\n`).join('')}---\n` : '';
    files.set(`${ruleFolders[index % ruleFolders.length]}/r${index}.md`, block + markdown(next, `Rule ${index}`));
  }
  const marker = `${root}.laid`;
  if (!existsSync(marker)) {
    rmSync(root, { recursive: true, force: true });
    const past = new Date(Date.now() - 86_400_000);
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
      utimesSync(join(root, path), past, past);
    }
    writeFileSync(marker, '');
  }
  return { root, rulesRoot: join(root, '.elowen/rules'), folders, aRule: join(root, [...files.keys()].at(-1)) };
}
