export { type Disk, nodeDisk } from './disk.ts';
export type { HostOptions } from './host.ts';
export { createHostSource } from './host-source.ts';
export { HostSourceError } from './root.ts';
