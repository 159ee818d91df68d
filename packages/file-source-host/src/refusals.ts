import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import { sourceRefusals } from '@codicil/file-source';

/** What a host source has to say about a path beyond what every source says. */
export const refusals: typeof sourceRefusals & { readonly notUtf8Name: (path: string) => Diagnostic } = {
  ...sourceRefusals,
  unreadable: (path: string, cause: string): Diagnostic =>
    diagnostic('file_unreadable', { path, message: `The system refused it: ${cause}.`, facts: { cause } }),
  notUtf8Name: (path: string): Diagnostic =>
    diagnostic('file_unreadable', {
      path,
      message: 'The name is not valid UTF-8, so no path can spell it.',
      hint: 'Rename it.',
      facts: { cause: 'name' },
    }),
};
