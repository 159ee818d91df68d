/** An error means that the file is not used; a warning means that it is. */
export type Severity = 'error' | 'warning';

interface CodeEntry {
  readonly severity: Severity;
  /** One sentence: when the code is raised. */
  readonly summary: string;
}

const error = (summary: string): CodeEntry & { readonly severity: 'error' } => ({ severity: 'error', summary });
const warning = (summary: string): CodeEntry & { readonly severity: 'warning' } => ({ severity: 'warning', summary });

/** Every diagnostic code. Codes are stable: programs and suppressions refer to them. */
export const DIAGNOSTIC_CODES = {
  context_file_oversized: error('The file is larger than the cap, so none of it is used.'),
  file_not_utf8: error('The file is not valid UTF-8.'),
  file_nul: error('The file holds a NUL character.'),
  not_a_directory: error('The rules path is not a directory.'),
  not_a_regular_file: warning('A directory, FIFO, socket or device lies under the name of an instruction file.'),
  file_unreadable: error('The file or folder exists or may exist, and cannot be read.'),
  file_unstable: error('The file kept changing while it was read.'),
  instruction_module_escape: error('The name resolves to a place outside the project.'),
  symlink_refused: error('A symbolic link where none is allowed: a folder link in the rules tree, a loop.'),
  symlink_dangling: warning('A symbolic link that points at nothing.'),
  listing_truncated: error('A folder has more entries than the cap, so nothing of it is used.'),
  frontmatter_unterminated: error('The frontmatter block is opened and never closed.'),
  frontmatter_misplaced: error(
    'Something surely meant as frontmatter is not at the very start, or its fence is misspelled.',
  ),
  frontmatter_yaml: error('The frontmatter is not valid YAML under the rules of the format.'),
  frontmatter_alias: error('A YAML anchor, alias or merge key; most often a glob that must be quoted.'),
  frontmatter_duplicate_key: error('A key is given twice.'),
  frontmatter_not_a_map: error('The frontmatter is a list or a scalar.'),
  frontmatter_conflict: error('Merge conflict markers in or before the frontmatter.'),
  frontmatter_unknown_key: error('A key that the format does not have.'),
  frontmatter_too_large: error('The frontmatter block is larger than its cap.'),
  paths_not_a_list: error('`paths` is not a list.'),
  paths_empty: error('`paths` is an empty list.'),
  paths_not_a_string: error('An item of `paths` is not a string.'),
  glob_empty: error('A glob without a character.'),
  glob_absolute: error('A glob that begins with a slash, a drive letter or a server name.'),
  glob_backslash: error('A backslash in a glob.'),
  glob_parent_segment: error('A `..` segment in a glob.'),
  glob_dot_segment: error('A `.` segment in a glob.'),
  glob_empty_segment: error('Two slashes in a row in a glob.'),
  glob_trailing_slash: error('A slash at the end of a glob.'),
  glob_too_long: error('A glob over its length cap, or more globs in a module than the cap.'),
  glob_braces: warning('Braces are literal characters here.'),
  glob_negation: warning('A leading `!` is a literal character here.'),
  glob_suspicious: warning('A comma, a control character, quotes or blanks at the ends of a glob.'),
  glob_glued: warning('`**` glued to other characters in a segment is `*` here.'),
  glob_cut_by_comment: warning('A YAML comment cuts the glob short.'),
  glob_root_only: warning('A glob without a slash matches nothing at the root and would match below.'),
  glob_matches_nothing: warning('A glob matches no file of the project.'),
  glob_case_mismatch: warning('A glob would match only when letter case is ignored.'),
  glob_unicode_mismatch: warning('A glob would match only after Unicode normalisation.'),
  nested_repository: warning('A folder below the root is a repository of its own and is not entered.'),
  nested_rules_tree: warning('A rules folder below the root is not read.'),
  module_empty: warning('A module with nothing but frontmatter.'),
  module_duplicate_content: warning('The same body under two paths.'),
  symlink_as_text: warning('The whole text of the file is the path of another one.'),
  file_name_case: warning('The file name ends in `.MD`; only `.md` counts.'),
  hidden_characters: warning('Invisible or direction-changing characters, or terminal escapes.'),
  merge_conflict: warning('Merge conflict markers in a body.'),
  instruction_activation_failed: error('The record could not be appended; the paths are queued again.'),
} as const satisfies Record<string, CodeEntry>;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
