import type { FileSource } from '@codicil/file-source';
import type { Layout } from '../layout/layout.ts';
import type { Places } from '../layout/places.ts';
import type { Slices } from './slices.ts';

/** What the parts of one call share. */
export interface Call {
  readonly source: FileSource;
  readonly layout: Layout;
  readonly places: Places;
  readonly slices: Slices;
  readonly signal: AbortSignal | undefined;
}
