import type { Diagnostic, Range } from '@codicil/diagnostics';
import type { Glob } from '@codicil/glob-select';
import type { ProjectPath } from '@codicil/project-path';
import type { Places } from './layout/places.ts';

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
  /**
   * Where it could not be told whether there is a module (a file, or a folder of the rules tree), by path. What is missing from `modules` for that is not
   * proved absent: ask again, and withdraw nothing. Empty when `modules` is the whole answer.
   */
  readonly unavailable: readonly ProjectPath[];
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

/** A rule with a condition, whether or not any file fulfils it. */
export interface ConditionalRule {
  readonly module: InstructionModule;
  readonly globs: readonly Glob[];
  /** Where each glob stands in the source, in their order. */
  readonly globRanges: () => readonly (Range | undefined)[];
}

/** What a touch of a path that is a link counts as. */
export interface LinkTouch {
  /** Rules match by each of these. */
  readonly names: readonly ProjectPath[];
  /** The folders whose nested files it brings. */
  readonly folders: readonly ProjectPath[];
}

/** What is there, before anything is touched: whatever a touch of any file in the folders asked about can bring, and what it cannot. */
export interface Inventory {
  readonly places: Places;
  readonly startup: readonly InstructionModule[];
  /** By depth, then path. */
  readonly nested: readonly InstructionModule[];
  /** By path. */
  readonly rules: readonly ConditionalRule[];
  /** Every other candidate and rule that was seen, by path, with why it is not used. No globs are matched here. */
  readonly notApplied: readonly NotApplied[];
  /** The folders at which another repository begins, that the layout does not cross. */
  readonly borders: readonly ProjectPath[];
  /** Rules folders that could not be listed: what lies in them is missing here. */
  readonly notListed: readonly ProjectPath[];
  readonly links: ReadonlyMap<ProjectPath, LinkTouch>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface InventoryOptions extends ResolveOptions {
  /** The folders of the project in which nested files may lie. The resolver does not walk a project by itself. */
  readonly folders: readonly ProjectPath[];
  /** Links among the files that may be touched: a touch of one counts by its name and by its real place. */
  readonly links: readonly ProjectPath[];
}

/** A resolver that also tells what there is, for whoever looks at a whole project. */
export interface InventoryResolver extends InstructionResolver {
  /** Agrees with `explain` on every path in the folders asked about. Rejects as the other calls do. */
  inventory(o: InventoryOptions): Promise<Inventory>;
}
