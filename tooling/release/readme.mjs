import { readFileSync } from 'node:fs';

/**
 * The example of a README, and what it says the example prints. Throws when there is not exactly one of each.
 * @param {string} file
 * @returns {{ readonly code: string, readonly output: string }} `code` is TypeScript
 */
export function readmeExample(file) {
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf('\n## Example');
  if (start === -1) throw new Error(`${file}: there is no "## Example"`);
  const section = text.slice(start + 1).split(/\n## /)[0] ?? '';
  const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body = '']) => ({
    language,
    body,
  }));
  const [code, output] = blocks;
  if (blocks.length !== 2 || code?.language !== 'ts' || output?.language !== 'text') {
    throw new Error(`${file}: the example is one ts block and one text block with its output`);
  }
  return { code: code.body, output: output.body };
}

/**
 * The packages that a README tells to install.
 * @param {string} file
 * @returns {readonly string[]}
 */
export function readmeInstalls(file) {
  const line = /^npm install (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (line === undefined) throw new Error(`${file}: there is no line "npm install …"`);
  return line.split(/\s+/);
}
