import type { FileSource } from '@codicil/file-source';
import { defaultLayout } from '@codicil/instruction-modules';
import { joinPath, type ProjectPath, parseProjectPath, ROOT } from '@codicil/project-path';

/** Something at the root that looks like instructions and is not read, with what to do about it. */
export interface OtherFile {
  readonly path: ProjectPath;
  readonly advice: string;
}

const MAX_ENTRIES = 20_000;
const ROOT_FILE = 'move its text to AGENTS.md';
const RULE_FILES = 'move each file to .elowen/rules as .md, with its globs as a list under `paths`';

/** Where other tools keep their instructions. */
const OTHER_TOOLS: readonly (readonly [path: string, advice: string])[] = [
  ['.cursorrules', ROOT_FILE],
  ['.windsurfrules', ROOT_FILE],
  ['.clinerules', 'move its text to AGENTS.md, or as .md files to .elowen/rules'],
  ['.goosehints', ROOT_FILE],
  ['.rules', ROOT_FILE],
  ['CONVENTIONS.md', ROOT_FILE],
  ['GEMINI.md', ROOT_FILE],
  ['QWEN.md', ROOT_FILE],
  ['.github/copilot-instructions.md', ROOT_FILE],
  ['.junie/guidelines.md', ROOT_FILE],
  ['.cursor/rules', RULE_FILES],
  ['.claude/CLAUDE.md', ROOT_FILE],
  ['.claude/rules', RULE_FILES],
  ['.github/instructions', RULE_FILES],
  ['.windsurf/rules', RULE_FILES],
  ['.roo/rules', RULE_FILES],
  ['.kiro/steering', RULE_FILES],
];

/** Looks at the root of a project for what is meant as instructions and is not used: other tools' files, and names that are nearly right. */
export async function otherFiles(source: FileSource): Promise<readonly OtherFile[]> {
  const known = await namesIn(source, ROOT);
  const found: OtherFile[] = [];
  for (const [text, advice] of OTHER_TOOLS) {
    const path = parseProjectPath(text);
    if (path !== undefined && (await isThere(source, path))) found.push({ path, advice });
  }
  for (const name of known) {
    const wanted = isCandidate(name, source.ignoresCase) ? undefined : nearlyRoot(name);
    if (wanted !== undefined) found.push({ path: joinPath(ROOT, name), advice: `rename it to ${wanted}` });
  }
  return [...found, ...(await nearlyRules(source, known))];
}

function isCandidate(name: string, ignoresCase: boolean): boolean {
  return defaultLayout.candidateNames.some(
    (candidate) => candidate === name || (ignoresCase && candidate.toLowerCase() === name.toLowerCase()),
  );
}

function nearlyRoot(name: string): string | undefined {
  const bare = /^(agents?|claude)(?:\.override)?\.(?:md|mdc|markdown|txt)$/i.exec(name)?.[1]?.toLowerCase();
  if (bare === undefined) return undefined;
  return bare === 'claude' ? 'CLAUDE.md' : 'AGENTS.md';
}

/** Folders that are called nearly as the folder of rules, and what lies in the right one under an ending that is not read. */
async function nearlyRules(source: FileSource, known: readonly string[]): Promise<readonly OtherFile[]> {
  const found: OtherFile[] = [];
  for (const name of known.filter((each) => each.toLowerCase() === '.elowen')) {
    const folder = joinPath(ROOT, name);
    for (const below of await namesIn(source, folder)) {
      if (!/^rules?$/i.test(below)) continue;
      const path = joinPath(folder, below);
      if (path !== '.elowen/rules') found.push({ path, advice: 'rename it to .elowen/rules' });
      else found.push(...(await wrongEndings(source, path)));
    }
  }
  return found;
}

async function wrongEndings(source: FileSource, folder: ProjectPath): Promise<readonly OtherFile[]> {
  const names = await namesIn(source, folder);
  return names
    .filter((name) => /\.(?:mdc|markdown|txt|md)$/i.test(name) && !name.endsWith('.md'))
    .map((name) => ({ path: joinPath(folder, name), advice: 'rename it so that it ends in .md' }));
}

async function namesIn(source: FileSource, folder: ProjectPath): Promise<readonly string[]> {
  const outcome = await source.list(folder, { maxEntries: MAX_ENTRIES });
  return outcome.kind === 'entries' ? outcome.entries.map(({ name }) => name).sort() : [];
}

/** Something lies there, whatever it is. No byte of it is read. */
async function isThere(source: FileSource, path: ProjectPath): Promise<boolean> {
  const outcome = await source.read(path, { maxBytes: 0, links: 'inside' });
  return outcome.kind !== 'absent' || outcome.diagnostic !== undefined;
}
