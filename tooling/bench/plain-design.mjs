// What a program without an index does at each touch: it lists, reads, parses and matches everything again.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { parse } from 'yaml';
import { walk } from './limits.mjs';

const CAP = 262_144;

/**
 * @param {string} text
 * @returns {{ readonly globs: readonly string[], readonly body: string }}
 */
function ruleOf(text) {
  const end = text.startsWith('---\n') ? text.indexOf('\n---\n', 3) : -1;
  if (end < 0) return { globs: [], body: text };
  return { globs: parse(text.slice(4, end + 1))?.paths ?? [], body: text.slice(end + 5) };
}

/**
 * @param {ReturnType<typeof ruleOf>} rule
 * @param {readonly string[]} touched
 */
function deliver({ globs, body }, touched) {
  const matchers = globs.map((glob) => picomatch(glob, { dot: true }));
  if (touched.some((path) => matchers.some((matches) => matches(path)))) hash('sha256', body);
}

/**
 * With a promise a call, as such loaders are mostly written.
 * @param {string} root
 * @param {readonly string[]} touched
 */
export async function plainTrigger(root, touched) {
  const real = await fs.promises.realpath(root);
  const visit = async (/** @type {string} */ folder) => {
    for (const entry of await fs.promises.readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        await visit(path);
        continue;
      }
      const target = await fs.promises.realpath(path);
      if (!target.startsWith(`${real}/`) || (await fs.promises.stat(target)).size > CAP) continue;
      deliver(ruleOf(await fs.promises.readFile(target, 'utf8')), touched);
    }
  };
  await visit(join(root, '.elowen/rules'));
}

/**
 * The same work, as tight as synchronous calls allow.
 * @param {string} root
 * @param {readonly string[]} touched
 */
export function plainTriggerSync(root, touched) {
  const real = fs.realpathSync.native(root);
  for (const file of walk(join(root, '.elowen/rules')).files) {
    if (!fs.realpathSync.native(file).startsWith(`${real}/`) || fs.statSync(file).size > CAP) continue;
    deliver(ruleOf(fs.readFileSync(file, 'utf8')), touched);
  }
}
