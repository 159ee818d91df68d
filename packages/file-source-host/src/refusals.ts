import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import { sourceRefusals } from '@codicil/file-source';

/** What a host source has to say about a path beyond what every source says. */
export const refusals: typeof sourceRefusals & {
  readonly notUtf8Name: (path: string, bytes?: Uint8Array) => Diagnostic;
  readonly notUtf8Target: (path: string) => Diagnostic;
} = {
  ...sourceRefusals,
  unreadable: (path: string, cause: string): Diagnostic =>
    diagnostic('file_unreadable', { path, message: `The system refused it: ${cause}.`, facts: { cause } }),
  /** `bytes` are those of the last name, where they are known. */
  notUtf8Name: (path: string, bytes?: Uint8Array): Diagnostic =>
    diagnostic('file_unreadable', {
      path,
      message: 'the name is not valid UTF-8, so no path can spell it',
      hint: 'Rename it.',
      facts: bytes === undefined ? { cause: 'name' } : { cause: 'name', bytes: Buffer.from(bytes).toString('hex') },
    }),
  notUtf8Target: (path: string): Diagnostic =>
    diagnostic('symlink_refused', {
      path,
      message: 'the symbolic link leads to a name that is not valid UTF-8',
      hint: 'Rename what it leads to, and point the link there.',
      facts: { cause: 'name' },
    }),
};
