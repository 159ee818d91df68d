import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ADAPTERS = ['journal-jsonl', 'journal-sqlite', 'file-source-host'];

/**
 * @param {string} path
 * @returns {number}
 */
function bytesOf(path) {
  if (!fs.existsSync(path)) return 0;
  const stat = fs.statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return fs.readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

/**
 * G17: what a package unpacks to. The licence is the repository's; packing puts it in.
 * @param {import('./report.mjs').Context} context
 */
export function sizes({ report }) {
  for (const name of fs.readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name);
    const manifest = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8'));
    const parts = [...manifest.files, 'package.json', 'README.md'].map((part) => join(folder, part));
    if (bytesOf(join(folder, 'dist')) === 0) throw new Error(`${manifest.name} is not built: npm run build`);
    const bytes = [...parts, join(root, 'LICENSE')].reduce((sum, part) => sum + bytesOf(part), 0);
    report.goal('G17', `${manifest.name}, unpacked (KB)`, bytes / 1_024, ADAPTERS.includes(name) ? 60 : 150);
  }
}
