export { judgeProject, type ProjectScan } from './judgement.ts';
export { type ListingOptions, listProject, type ProjectListing } from './listing.ts';
export { inOrder } from './order.ts';
export type { ModuleReach } from './reach.ts';
export { type ScanOptions, scanProject } from './scan.ts';
