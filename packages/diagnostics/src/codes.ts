/** An error means that the file is not used; a warning means that it is. */
export type Severity = 'error' | 'warning';

/** Every diagnostic code, and in a sentence when it is raised. Codes are stable: programs and suppressions refer to them. */
export const DIAGNOSTIC_CODES = {
  context_file_oversized: { severity: 'error', summary: 'The file is larger than the cap, so none of it is used.' },
  file_not_utf8: { severity: 'error', summary: 'The file is not valid UTF-8.' },
  file_nul: { severity: 'error', summary: 'The file holds a NUL character.' },
  not_a_directory: { severity: 'error', summary: 'The rules path is not a directory.' },
  not_a_regular_file: {
    severity: 'error',
    summary: 'A directory, FIFO, socket or device lies under the name of an instruction file.',
  },
  file_unreadable: { severity: 'error', summary: 'The file or folder exists or may exist, and cannot be read.' },
  file_unstable: { severity: 'error', summary: 'The file kept changing while it was read.' },
  instruction_module_escape: { severity: 'error', summary: 'The name resolves to a place outside the project.' },
  symlink_refused: {
    severity: 'error',
    summary: 'A symbolic link where none is allowed: a folder link in the rules tree, a loop.',
  },
  symlink_dangling: { severity: 'error', summary: 'A symbolic link that points at nothing.' },
  git_pointer_broken: {
    severity: 'warning',
    summary: 'A `.git` above the working directory does not prove whose folder it is, and is passed over.',
  },
  listing_truncated: {
    severity: 'error',
    summary: 'A folder has more entries than the cap, so nothing of it is used.',
  },
  frontmatter_unterminated: { severity: 'error', summary: 'The frontmatter block is opened and never closed.' },
  frontmatter_misplaced: {
    severity: 'error',
    summary: 'Something surely meant as frontmatter is not at the very start, or its fence is misspelled.',
  },
  frontmatter_yaml: { severity: 'error', summary: 'The frontmatter is not valid YAML under the rules of the format.' },
  frontmatter_alias: {
    severity: 'error',
    summary: 'A YAML anchor, alias or merge key; most often a glob that must be quoted.',
  },
  frontmatter_duplicate_key: { severity: 'error', summary: 'A key is given twice.' },
  frontmatter_not_a_map: { severity: 'error', summary: 'The frontmatter is a list or a scalar.' },
  frontmatter_conflict: { severity: 'error', summary: 'Merge conflict markers in or before the frontmatter.' },
  frontmatter_unknown_key: { severity: 'error', summary: 'A key that the format does not have.' },
  frontmatter_too_large: { severity: 'error', summary: 'The frontmatter block is larger than its cap.' },
  paths_not_a_list: { severity: 'error', summary: '`paths` is not a list.' },
  paths_empty: { severity: 'error', summary: '`paths` is an empty list.' },
  paths_not_a_string: { severity: 'error', summary: 'An item of `paths` is not a string.' },
  glob_empty: { severity: 'error', summary: 'A glob without a character.' },
  glob_absolute: { severity: 'error', summary: 'A glob that begins with a slash, a drive letter or a server name.' },
  glob_backslash: { severity: 'error', summary: 'A backslash in a glob.' },
  glob_parent_segment: { severity: 'error', summary: 'A `..` segment in a glob.' },
  glob_dot_segment: { severity: 'error', summary: 'A `.` segment in a glob.' },
  glob_empty_segment: { severity: 'error', summary: 'Two slashes in a row in a glob.' },
  glob_trailing_slash: { severity: 'error', summary: 'A slash at the end of a glob.' },
  glob_too_long: { severity: 'error', summary: 'A glob over its length cap, or more globs in a module than the cap.' },
  glob_braces: { severity: 'warning', summary: 'Braces are literal characters here.' },
  glob_negation: { severity: 'warning', summary: 'A leading `!` is a literal character here.' },
  glob_suspicious: {
    severity: 'warning',
    summary: 'A comma, a control character, quotes or blanks at the ends of a glob.',
  },
  glob_glued: { severity: 'warning', summary: '`**` glued to other characters in a segment is `*` here.' },
  glob_cut_by_comment: { severity: 'warning', summary: 'A YAML comment cuts the glob short.' },
  glob_root_only: {
    severity: 'warning',
    summary: 'A glob without a slash matches nothing at the root and would match below.',
  },
  glob_matches_nothing: { severity: 'warning', summary: 'A glob matches no file of the project.' },
  glob_case_mismatch: { severity: 'warning', summary: 'A glob would match only when letter case is ignored.' },
  glob_unicode_mismatch: { severity: 'warning', summary: 'A glob would match only after Unicode normalisation.' },
  nested_repository: {
    severity: 'warning',
    summary: 'A folder below the root is a repository of its own and is not entered.',
  },
  nested_rules_tree: { severity: 'warning', summary: 'A rules folder below the root is not read.' },
  module_empty: { severity: 'warning', summary: 'A module with nothing but frontmatter.' },
  module_duplicate_content: { severity: 'warning', summary: 'The same body under two paths.' },
  symlink_as_text: { severity: 'warning', summary: 'The whole text of the file is the path of another one.' },
  file_name_case: { severity: 'warning', summary: 'The file name ends in `.MD`; only `.md` counts.' },
  hidden_characters: {
    severity: 'warning',
    summary: 'Invisible or direction-changing characters, or terminal escapes.',
  },
  merge_conflict: { severity: 'warning', summary: 'Merge conflict markers in a body.' },
  instruction_activation_failed: {
    severity: 'error',
    summary: 'The record could not be appended; the paths are queued again.',
  },
} as const;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
