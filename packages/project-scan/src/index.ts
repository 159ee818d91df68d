export { type ListingOptions, listProject, type ProjectListing } from './listing.ts';
export type { ModuleReach } from './reach.ts';
export { inOrder, type ProjectScan, type ScanOptions, scanProject } from './scan.ts';
