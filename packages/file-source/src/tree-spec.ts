/**
 * A tree of files as plain data: the same for the memory source, a disk and a guest. `path` is relative to the root in `/` form; a path that
 * begins with `../` lies beside the root. Folders above an entry are made as needed.
 */
export type TreeSpec = readonly TreeEntry[];

export type TreeEntry = FileSpec | FolderSpec | LinkSpec | HardLinkSpec | SpecialSpec;

export type FileSpec = {
  readonly path: string;
  /** Permission bits; `0` takes every right away. */
  readonly mode?: number | undefined;
} & ({ readonly text: string } | { readonly bytes: Uint8Array });

export interface FolderSpec {
  readonly path: string;
  readonly folder: true;
  readonly mode?: number | undefined;
}

export interface LinkSpec {
  readonly path: string;
  /** What the link says. */
  readonly symlink: string;
  /** The link says a native absolute path; `symlink` is then relative to the root, as `path` is. */
  readonly absolute?: boolean | undefined;
}

export interface HardLinkSpec {
  readonly path: string;
  /** The path of a file that comes earlier in the tree. */
  readonly hardLink: string;
}

export interface SpecialSpec {
  readonly path: string;
  readonly fifo: true;
}

/**
 * One change of a tree. Total: what stands in the way of a new entry is removed first (a link above it included: no change goes through a link), and
 * a change of something that is not there does nothing.
 */
export type TreeEdit =
  /** Overwrites a regular file in place (it keeps its identity), or makes a new one. */
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  /** With everything below it. */
  | { readonly kind: 'remove'; readonly path: string }
  /** Takes the place of what was at `to`. Nothing happens when one path lies below the other. */
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | {
      readonly kind: 'symlink';
      readonly path: string;
      readonly target: string;
      readonly absolute?: boolean | undefined;
    }
  /** Of a file or folder, not of a link. */
  | { readonly kind: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly kind: 'mkdir'; readonly path: string };
