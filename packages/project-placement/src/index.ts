export type { GitFiles, PathKind, PointerText, RealPath } from './git-files.ts';
export { hostGitFiles } from './host-git-files.ts';
export { type NoneReason, type Placement, type PlacementQuestion, placeSession } from './placement.ts';
export type { HostProject, ManagedProject, Project } from './project.ts';
