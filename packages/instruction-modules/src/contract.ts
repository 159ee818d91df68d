import type { Diagnostic } from '@codicil/diagnostics';
import type { Glob } from '@codicil/glob-select';
import type { ProjectPath } from '@codicil/project-path';

/** One Markdown file whose text reaches the model whole. */
export interface InstructionModule {
  /** Its place in the project; with its hash, its identity. */
  readonly relPath: ProjectPath;
  readonly origin: 'root' | 'nested' | 'rule';
  readonly condition: Condition;
  /** The body alone: frontmatter and byte order mark removed, otherwise every character as in the file. */
  readonly content: string;
  /** Lower-case hexadecimal SHA-256 over the UTF-8 of `content`. */
  readonly sha256: string;
}

export type Condition = { readonly kind: 'always' } | { readonly kind: 'paths'; readonly globs: readonly Glob[] };

export interface Resolution {
  readonly modules: readonly InstructionModule[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Where a module that some context still holds stands now. Only `absent` and `shadowed` are proofs that it no longer applies. */
export type ModuleStatus =
  | { readonly kind: 'current' }
  /** Proved: no file of this name any more, or a rule file that lies outside what the layout reads. */
  | { readonly kind: 'absent' }
  /** A better candidate name of the same folder took its place. */
  | { readonly kind: 'shadowed'; readonly by: ProjectPath }
  /** Refused or unavailable: its version stays in force. */
  | { readonly kind: 'unknown' };

export interface Explanation {
  readonly startup: readonly InstructionModule[];
  /** In delivery order, with why each applies. A nested file's match has no glob. */
  readonly delivered: readonly {
    readonly module: InstructionModule;
    readonly matched: readonly { readonly path: string; readonly glob: Glob | undefined }[];
  }[];
  readonly notApplied: readonly NotApplied[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface NotApplied {
  readonly relPath: ProjectPath;
  readonly reason:
    | 'no_glob_matches'
    | 'refused'
    | 'unavailable'
    /** A better candidate name of the same folder decides. */
    | 'shadowed'
    | 'dependency_folder'
    | 'nested_repository';
  readonly globs: readonly Glob[];
}

/** The seam to a project's instruction files. Rejects with the signal's reason alone: what is wrong on the disk is a diagnostic. */
export interface InstructionResolver {
  /** The root file, then the unconditional rules by path. */
  startup(o?: ResolveOptions): Promise<Resolution>;
  /** Nested files by depth then path, then the conditional rules whose globs match, by path. Paths as tools report them. */
  forPaths(paths: readonly string[], o?: ResolveOptions): Promise<Resolution>;
  /** What both would give, and for every other module why not. */
  explain(paths: readonly string[], o?: ResolveOptions): Promise<Explanation>;
  status(relPaths: readonly string[], o?: ResolveOptions): Promise<readonly ModuleStatus[]>;
}

export interface ResolveOptions {
  readonly signal?: AbortSignal | undefined;
}
