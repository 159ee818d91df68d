import type { Diagnostic } from '@codicil/diagnostics';
import type { ProjectPath } from '@codicil/project-path';

/**
 * What a source remembers of a file, a folder or an absence in order to prove later that it is unchanged. Opaque: only the source that
 * made it can read it, and it is compared by {@link FileSource.changed} alone.
 */
export type Stamp = object & { readonly [stampBrand]: never };
declare const stampBrand: unique symbol;

/** The four answers of a read; none is ever taken for another. */
export type ReadOutcome =
  | FileRead
  /** Proved: nothing is there, or something that is no regular file. `diagnostic` says so where a person would wonder. */
  | { readonly kind: 'absent'; readonly diagnostic?: Diagnostic | undefined }
  /** It is there and may not be used. Never fall through to another candidate. */
  | { readonly kind: 'refused'; readonly diagnostic: Diagnostic }
  /** It could not be told. Never an absence: keep what you had. */
  | { readonly kind: 'unavailable'; readonly diagnostic: Diagnostic };

export interface FileRead {
  readonly kind: 'file';
  /** The path that was asked for. */
  readonly path: ProjectPath;
  /** The real place of the bytes; `undefined` when that lies outside the root (only with `links: 'anywhere'`). */
  readonly realPath: ProjectPath | undefined;
  /** The whole content at one instant. Not reused by the source. */
  readonly bytes: Uint8Array;
  readonly stamp: Stamp;
}

export interface ReadOptions {
  /** A file of more bytes is refused whole (`context_file_oversized`), whatever its size was said to be. */
  readonly maxBytes: number;
  /** `'inside'` follows symbolic links to files inside the root alone; `'anywhere'` is for the root instruction file. */
  readonly links: 'inside' | 'anywhere';
  readonly signal?: AbortSignal | undefined;
}

/** The first candidate of a folder that exists, with what was passed over on the way to it. */
export interface FirstRead {
  /** The candidate that decided; `undefined` when every one is proved absent. */
  readonly name: string | undefined;
  readonly outcome: ReadOutcome;
  /** Candidates that are no regular files or dangling links, in candidate order. */
  readonly passedOver: readonly Diagnostic[];
}

export interface Entry {
  /** No two of a listing are equal. One that no text can spell holds halves of characters where its bytes are false, and is refused. */
  readonly name: string;
  /** A link to a regular file inside the root is a `'file'`; whatever may not be used is `'other'` and says why. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly linked: boolean;
  readonly refusal: Diagnostic | undefined;
}

export type ListOutcome =
  | { readonly kind: 'entries'; readonly entries: readonly Entry[]; readonly stamp: Stamp }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'unavailable'; readonly diagnostic: Diagnostic };

export interface ListOptions {
  /** A folder with more entries is refused whole (`listing_truncated`). */
  readonly maxEntries: number;
  readonly signal?: AbortSignal | undefined;
}

/** Where a native path lies. */
export type Location =
  | {
      readonly kind: 'inside';
      /** By its spelling; `undefined` when only the real place is inside. */
      readonly named: ProjectPath | undefined;
      /** By the real place of its nearest existing ancestor; `undefined` when a link leads out of the root. */
      readonly real: ProjectPath | undefined;
      /** The first component of `named` that is a symbolic link. */
      readonly firstLink: ProjectPath | undefined;
    }
  | { readonly kind: 'outside' }
  | { readonly kind: 'unavailable'; readonly diagnostic: Diagnostic };

/** Something seen earlier, with the stamp it had. */
export interface Known {
  readonly path: ProjectPath;
  readonly stamp: Stamp;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Files of one project, confined to its root. Methods never throw for what is on the disk: that is an outcome. They reject with the
 * signal's reason when it aborts, and for nothing else.
 */
export interface FileSource {
  /** The root as the target spells it. */
  readonly root: string;
  /** Whether the target takes `A` and `a` for the same name. */
  readonly ignoresCase: boolean;

  /** Turns a path that a tool reports (absolute, or relative to the root) into project paths. */
  locate(path: string, o?: WaitOptions): Promise<Location>;

  read(path: ProjectPath, o: ReadOptions): Promise<ReadOutcome>;

  /** {@link read} for many paths, answers in the same order. Batched, so that a slow transport pays one trip. */
  readMany(paths: readonly ProjectPath[], o: ReadOptions): Promise<readonly ReadOutcome[]>;

  /**
   * Reads the first of `names` that exists in a folder. A candidate that is no regular file or a dangling link is passed over; one that is refused or
   * unavailable decides.
   */
  readFirst(folder: ProjectPath, names: readonly string[], o: ReadOptions): Promise<FirstRead>;

  /** The entries of a folder, in no particular order. Links to folders are not entered: `symlink_refused`. */
  list(folder: ProjectPath, o: ListOptions): Promise<ListOutcome>;

  /**
   * The indices of those that cannot be proved unchanged: changed, gone, unreadable, or stamped too close to an edit for the clock to tell. A
   * folder's stamp covers the names and kinds of its entries and the folders above it, not the content of its files.
   */
  changed(known: readonly Known[], o?: WaitOptions): Promise<readonly number[]>;
}
