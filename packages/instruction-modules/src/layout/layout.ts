/** Where a project keeps its instructions, and how much of them is read. A value: spread {@link defaultLayout} to change it. */
export interface Layout {
  /** Candidate names of the root file and of nested files; the first that exists wins. */
  readonly candidateNames: readonly string[];
  /** Project-relative folders of rule modules, searched recursively for `.md`. */
  readonly rulesFolders: readonly string[];
  /** No nested files at or below a folder of one of these names, at any depth. */
  readonly closedFolders: readonly string[];
  /** The same for folders directly below the root. */
  readonly closedRootFolders: readonly string[];
  /** Whether nested files behind a folder's own `.git` count. A submodule of the root's repository is always inside. */
  readonly nestedRepositories: 'border' | 'cross';
  /** Bytes of one file. Above it the file is refused whole. */
  readonly maxFileBytes: number;
  /** Entries of one folder of the rules tree. */
  readonly maxEntries: number;
  /** Bytes of a frontmatter block. */
  readonly maxFrontmatterBytes: number;
  readonly maxGlobs: number;
}

export const defaultLayout: Layout = {
  candidateNames: ['AGENTS.override.md', 'AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'],
  rulesFolders: ['.elowen/rules'],
  closedFolders: ['.elowen', '.git', 'node_modules', '.venv'],
  closedRootFolders: ['vendor'],
  nestedRepositories: 'border',
  maxFileBytes: 262_144,
  maxEntries: 20_000,
  maxFrontmatterBytes: 16_384,
  maxGlobs: 1_000,
};
