import { type Diagnostic, diagnostic } from '@codicil/diagnostics';

/** What every source has to say about a path, in the same words. A source of another kind adds its own. */
export const sourceRefusals = {
  oversized: (path: string, maxBytes: number): Diagnostic =>
    diagnostic('context_file_oversized', {
      path,
      message: `The file is larger than ${maxBytes} bytes, so none of it is used.`,
      hint: 'Split it, or raise the cap.',
      facts: { maxBytes },
    }),
  notRegular: (path: string, what: 'folder' | 'special'): Diagnostic =>
    diagnostic('not_a_regular_file', {
      path,
      message: what === 'folder' ? 'A folder lies under this name.' : 'A pipe, socket or device lies under this name.',
      hint: 'Put a regular file in its place, or rename it.',
      facts: { what },
    }),
  notFolder: (path: string): Diagnostic =>
    diagnostic('not_a_directory', { path, message: 'A folder is expected here, and this is none.' }),
  escape: (path: string): Diagnostic =>
    diagnostic('instruction_module_escape', {
      path,
      message: 'The name resolves to a place outside the project.',
      hint: 'Copy the file into the project.',
    }),
  loop: (path: string): Diagnostic =>
    diagnostic('symlink_refused', { path, message: 'The symbolic link leads back to itself.' }),
  folderLink: (path: string): Diagnostic =>
    diagnostic('symlink_refused', { path, message: 'Symbolic links to folders are not entered.' }),
  dangling: (path: string): Diagnostic =>
    diagnostic('symlink_dangling', {
      path,
      message: 'The symbolic link points at nothing.',
      hint: 'Point it at a file that exists, or delete it.',
    }),
  unreadable: (path: string, message: string): Diagnostic => diagnostic('file_unreadable', { path, message }),
  denied: (path: string): Diagnostic =>
    diagnostic('file_unreadable', { path, message: 'Reading it is not permitted.', facts: { cause: 'EACCES' } }),
  rootGone: (path: string): Diagnostic =>
    diagnostic('file_unreadable', {
      path,
      message: 'The root folder of the project is gone or was replaced.',
      facts: { cause: 'root' },
    }),
  unstable: (path: string, attempts: number): Diagnostic =>
    diagnostic('file_unstable', {
      path,
      message: `The file changed during each of ${attempts} reads.`,
      facts: { attempts },
    }),
  truncated: (path: string, maxEntries: number): Diagnostic =>
    diagnostic('listing_truncated', {
      path,
      message: `The folder has more than ${maxEntries} entries, so nothing of it is used.`,
      facts: { maxEntries },
    }),
} as const;
