import type { FileSource } from '@codicil/file-source';
import type { InventoryResolver } from '@codicil/instruction-modules';
import { judgeProject, type ProjectScan } from './judgement.ts';
import { type ListingOptions, listProject } from './listing.ts';

export interface ScanOptions extends ListingOptions {
  readonly source: FileSource;
  /** Over the same source. */
  readonly resolver: InventoryResolver;
}

/** Looks at every file of the project once, takes the resolver's inventory, and judges the two. */
export async function scanProject({ source, resolver, ...o }: ScanOptions): Promise<ProjectScan> {
  const listing = await listProject(source, o);
  const { folders, links } = listing;
  return judgeProject(listing, await resolver.inventory({ folders, links, signal: o.signal }));
}
