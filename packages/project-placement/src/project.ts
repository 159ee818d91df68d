/** A project whose files lie on this machine. */
export interface HostProject {
  readonly kind: 'host';
  readonly id: string;
  /** Its absolute folder, by any of its names. */
  readonly root: string;
}

/** A project whose files lie in a guest. Its root is a path of the guest and means nothing on this machine. */
export interface ManagedProject {
  readonly kind: 'managed';
  readonly id: string;
  readonly root: string;
}

export type Project = HostProject | ManagedProject;
