import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { InstructionModule, Inventory } from '@codicil/instruction-modules';
import { baseName, isInside, joinPath, type ProjectPath, parentOf, parseProjectPath } from '@codicil/project-path';
import type { ProjectListing } from './listing.ts';

/** What the texts of the modules alone do not tell the resolver: that they say nothing, or were meant to be links. */
export function textFindings(modules: Iterable<InstructionModule>, listing: ProjectListing): readonly Diagnostic[] {
  const files = new Set(listing.files);
  return [...modules].flatMap(({ relPath, content }) => textFinding(relPath, content, files));
}

function textFinding(relPath: ProjectPath, content: string, files: ReadonlySet<ProjectPath>): readonly Diagnostic[] {
  const text = content.trim();
  if (text === '') {
    return [
      diagnostic('module_empty', {
        path: relPath,
        message: 'this module has no text: the model receives an empty element',
        hint: 'Write the instructions, or remove the file.',
      }),
    ];
  }
  const target = text.includes('\n') || text.length > 4096 ? undefined : linkTarget(relPath, text);
  if (target === undefined || target === relPath || !files.has(target)) return [];
  return [
    diagnostic('symlink_as_text', {
      path: relPath,
      message: `the whole text is the path of another file, ${target}: a checkout without symbolic links writes them so`,
      hint: 'Check the file out again with `git config core.symlinks true`, or write the text itself.',
      facts: { target },
    }),
  ];
}

function linkTarget(relPath: ProjectPath, text: string): ProjectPath | undefined {
  const segments = (parentOf(relPath) ?? '').split('/').filter((segment) => segment !== '');
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else segments.push(segment);
  }
  return parseProjectPath(segments.join('/'));
}

/** Rules folders below the root, which are not read. What lies in a dependency or in a repository of its own is another's business. */
export function nestedRulesTrees(listing: ProjectListing, { places, borders }: Inventory): readonly Diagnostic[] {
  return listing.folders.flatMap((folder) => {
    const nested = places.nestedTree(folder);
    if (nested === undefined) return [];
    const { owner, tree } = nested;
    if (places.isClosed(owner) || borders.some((border) => isInside(border, owner))) return [];
    return [
      diagnostic('nested_rules_tree', {
        path: folder,
        message: `rules are read from ${tree} at the root of the project alone, so nothing in this folder is used`,
        hint: `Move the files to ${tree} and begin their globs with \`${owner}/\`.`,
      }),
    ];
  });
}

export function upperCaseEndings(listing: ProjectListing, { places }: Inventory): readonly Diagnostic[] {
  return listing.files.flatMap((file) => {
    const name = baseName(file);
    if (!/\.md$/i.test(name) || name.endsWith('.md') || !places.isInRulesTree(file)) return [];
    const renamed = joinPath(parentOf(file) ?? file, `${name.slice(0, -3)}.md`);
    return [
      diagnostic('file_name_case', {
        path: file,
        message: 'only files that end in `.md` are rules, so this one is not used',
        hint: `Rename it to ${renamed}.`,
      }),
    ];
  });
}
