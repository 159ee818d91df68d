// The raw limits: what any program that gives the same answers must do at the very least, with the fastest calls that Node has.
import { hash } from 'node:crypto';
import fs from 'node:fs';

const CAP = 262_144;
const buffer = Buffer.allocUnsafeSlow(CAP + 1);
const FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;
const NAMES = ['AGENTS.override.md', 'AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'];

/**
 * Every Markdown file below a folder, and every folder.
 * @param {string} root
 */
export function walk(root) {
  /** @type {string[]} */
  const files = [];
  /** @type {string[]} */
  const folders = [];
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    folders.push(folder);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) waiting.push(`${folder}/${entry.name}`);
      else if (entry.isFile() && entry.name.endsWith('.md')) files.push(`${folder}/${entry.name}`);
    }
  }
  return { files, folders };
}

/**
 * Opens once, looks at what was opened, reads no more than the cap, closes, hashes. `undefined` for a file above the cap.
 * @param {string} file
 */
export function readAndHash(file) {
  const descriptor = fs.openSync(file, FLAGS);
  try {
    const { size } = fs.fstatSync(descriptor);
    if (size > CAP) return undefined;
    let filled = 0;
    while (filled <= CAP) {
      const count = fs.readSync(descriptor, buffer, filled, CAP + 1 - filled, null);
      filled += count;
      if (count === 0 || filled >= size) break;
    }
    return hash('sha256', buffer.subarray(0, filled));
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Raw limit A, a cold pass: list, open, look, read, close, hash.
 * @param {string} root
 */
export function coldLimit(root) {
  for (const file of walk(root).files) readAndHash(file);
}

/**
 * Raw limit B, a revalidation: look at everything that is known.
 * @param {readonly string[]} known
 */
export function statLimit(known) {
  let sum = 0;
  for (const path of known) sum += fs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return sum;
}

/**
 * The nested files above one touched file: five candidate names a folder, below the root; the first that is there is read.
 * @param {string} root
 * @param {string} folder
 */
export function nestedLimit(root, folder) {
  let place = root;
  for (const segment of folder.split('/')) {
    place += `/${segment}`;
    for (const name of NAMES) {
      if (!fs.lstatSync(`${place}/${name}`, { throwIfNoEntry: false })?.isFile()) continue;
      readAndHash(`${place}/${name}`);
      break;
    }
  }
}

/**
 * Every byte of a file, once.
 * @param {string} file
 */
export function readLimit(file) {
  const chunk = Buffer.allocUnsafe(1 << 20);
  const descriptor = fs.openSync(file, 'r');
  while (fs.readSync(descriptor, chunk, 0, chunk.length, null) > 0);
  fs.closeSync(descriptor);
}
