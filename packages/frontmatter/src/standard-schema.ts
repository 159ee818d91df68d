/**
 * What a caller's schema must offer: version 1 of the Standard Schema interface (https://standardschema.dev), as zod, valibot, arktype and others
 * do. Written out here, so that no package is needed for it.
 */
export interface Schema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}

export type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** An issue with its path as keys alone; `[]` is the whole frontmatter. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export function issuesOf<T>(result: SchemaResult<T>): readonly SchemaIssue[] {
  return (result.issues ?? []).map(({ message, path = [] }) => ({
    message,
    path: path.map((step) => (typeof step === 'object' ? step.key : step)),
  }));
}
