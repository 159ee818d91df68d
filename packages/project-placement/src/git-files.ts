/** Where a path really lies. `unknown`: we could not tell, which is never taken for `absent`. */
export type RealPath =
  | { readonly kind: 'real'; readonly path: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' };

export type PathKind = 'file' | 'folder' | 'other' | 'absent' | 'unknown';

export type PointerText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  /** Too large, not UTF-8, no regular file, or not to be read. */
  | { readonly kind: 'unusable' };

/** The little that a placement asks of a disk. Every path is absolute. What a method throws escapes. */
export interface GitFiles {
  /** How the paths are spelt. */
  readonly platform: 'posix' | 'win32';
  /**
   * Follows every link, in the order of the path: `..` behind a link is the parent of what the link leads to. The answer is spelt in one way for each
   * place, also where the volume ignores case.
   */
  realPath(path: string): Promise<RealPath>;
  /** What stands there, links followed. */
  kind(path: string): Promise<PathKind>;
  /** A whole regular file of at most `maxBytes` bytes, as UTF-8. */
  readText(path: string, maxBytes: number): Promise<PointerText>;
}
