import { type Diagnostic, diagnostic } from '@codicil/diagnostics';

/** What every source has to say about a path, in the same words. A source of another kind adds its own. */
export const sourceRefusals = {
  oversized: (path: string, maxBytes: number): Diagnostic =>
    diagnostic('context_file_oversized', {
      path,
      message: `the file is larger than ${maxBytes} bytes, so none of it is used`,
      hint: 'Split it, or raise the cap.',
      facts: { maxBytes },
    }),
  notRegular: (path: string, what: 'folder' | 'special'): Diagnostic =>
    diagnostic('not_a_regular_file', {
      path,
      message: what === 'folder' ? 'a folder lies under this name' : 'a pipe, socket or device lies under this name',
      hint: 'Rename it, or put a regular file in its place.',
      facts: { what },
    }),
  notFolder: (path: string): Diagnostic =>
    diagnostic('not_a_directory', {
      path,
      message: 'a folder is expected here, and this is none',
      hint: 'Make it a folder, or point the layout at the one that is meant.',
    }),
  escape: (path: string): Diagnostic =>
    diagnostic('instruction_module_escape', {
      path,
      message: 'the name resolves to a place outside the project',
      hint: 'Copy the file into the project.',
    }),
  loop: (path: string): Diagnostic =>
    diagnostic('symlink_refused', { path, message: 'the symbolic link leads back to itself', hint: 'Untie the loop.' }),
  folderLink: (path: string): Diagnostic =>
    diagnostic('symlink_refused', {
      path,
      message: 'a symbolic link to a folder is not entered',
      hint: 'Put the folder itself in the place of the link.',
    }),
  dangling: (path: string): Diagnostic =>
    diagnostic('symlink_dangling', {
      path,
      message: 'the symbolic link points at nothing',
      hint: 'Point it at a file that exists, or delete it.',
    }),
  unreadable: (path: string, message: string): Diagnostic =>
    diagnostic('file_unreadable', { path, message, hint: 'Make it readable; the next touch reads it again.' }),
  denied: (path: string): Diagnostic =>
    diagnostic('file_unreadable', {
      path,
      message: 'reading it is not permitted',
      hint: 'Give the agent permission to read it.',
      facts: { cause: 'EACCES' },
    }),
  rootGone: (path: string): Diagnostic =>
    diagnostic('file_unreadable', {
      path,
      message: 'the root folder of the project is gone or was replaced',
      hint: 'Open the project anew.',
      facts: { cause: 'root' },
    }),
  unstable: (path: string, attempts: number): Diagnostic =>
    diagnostic('file_unstable', {
      path,
      message: `the file changed during each of ${attempts} reads`,
      hint: 'Stop what keeps writing it; the next touch reads it again.',
      facts: { attempts },
    }),
  truncated: (path: string, maxEntries: number): Diagnostic =>
    diagnostic('listing_truncated', {
      path,
      message: `the folder has more than ${maxEntries} entries, so nothing of it is used`,
      hint: 'Spread the entries over several folders, or raise the cap.',
      facts: { maxEntries },
    }),
} as const;
