import type { Explanation } from '@codicil/instruction-modules';
import type { ElsewhereModule } from './elsewhere.ts';
import type { TouchedPath } from './touched-path.ts';

/** What `explain` knows of the paths that it was given. */
export interface Explained {
  readonly paths: readonly TouchedPath[];
  readonly explanation: Explanation;
  readonly elsewhere: readonly ElsewhereModule[];
}
