import type { Advice, IssueDescription, Slip } from '@codicil/frontmatter';

/** Keys that other tools' rules carry: below a fence out of place they prove what it was meant for. */
export const TELLING_KEYS: readonly string[] = ['path', 'globs', 'glob', 'applyTo', 'alwaysApply'];

/** What is to be said where YAML reads something else than the glob that was meant. */
export function adviseOnGlob({ kind, text }: Slip): Advice {
  switch (kind) {
    case 'alias':
      return {
        message: '`*` starts a YAML alias here, so a glob must be quoted',
        hint: `Write it in quotes, as an item of a list: ["${text}"].`,
      };
    case 'map':
      return {
        message: '`{` starts a YAML map here, so a glob must be quoted',
        hint: 'Write one quoted glob for each alternative, as a list: ["src/**", "lib/**"].',
      };
    case 'escape':
      return { hint: 'Write forward slashes: "src/utils/**".' };
    case 'size':
      return { hint: 'Shorten it: wider globs say the same in fewer lines.' };
  }
}

/** A plain glob with a YAML comment behind it: `- src/c #/**` is `src/c`. */
export function describeCutGlob(glob: string): IssueDescription {
  return {
    code: 'glob_cut_by_comment',
    message: `a YAML comment ends this glob: it is \`${glob.slice(0, 80)}\``,
    hint: 'Put the glob in quotes: before the comment, or with the `#` in them where it belongs to the glob.',
  };
}
