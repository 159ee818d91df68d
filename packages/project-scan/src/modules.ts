import { type Diagnostic, diagnostic } from '@codicil/diagnostics';
import type { Layout } from '@codicil/instruction-modules';
import { baseName, isInside, joinPath, type ProjectPath, parentOf, parseProjectPath } from '@codicil/project-path';
import type { ProjectListing } from './listing.ts';
import type { ModuleReach } from './reach.ts';

/** What only a look at all modules and all folders can tell. */
export function moduleFindings(
  modules: readonly ModuleReach[],
  listing: ProjectListing,
  layout: Layout,
): readonly Diagnostic[] {
  return [
    ...modules.flatMap(({ relPath, module }) =>
      module === undefined ? [] : textFindings(relPath, module.content, listing),
    ),
    ...listing.folders.flatMap((folder) => nestedRulesTree(folder, layout)),
    ...listing.files.flatMap((file) => upperCaseExtension(file, layout)),
  ];
}

function textFindings(relPath: ProjectPath, content: string, listing: ProjectListing): readonly Diagnostic[] {
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
  if (target === undefined || target === relPath || !listing.files.includes(target)) return [];
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

function nestedRulesTree(folder: ProjectPath, layout: Layout): readonly Diagnostic[] {
  const tree = layout.rulesFolders.find((rules) => folder.endsWith(`/${rules}`));
  if (tree === undefined) return [];
  return [
    diagnostic('nested_rules_tree', {
      path: folder,
      message: `rules are read from ${tree} at the root of the project alone, so nothing in this folder is used`,
      hint: `Move the files to ${tree} and begin their globs with ${folder.slice(0, -tree.length)}`,
    }),
  ];
}

function upperCaseExtension(file: ProjectPath, layout: Layout): readonly Diagnostic[] {
  const name = baseName(file);
  if (!/\.md$/i.test(name) || name.endsWith('.md')) return [];
  if (!layout.rulesFolders.some((rules) => isInside(rules as ProjectPath, file))) return [];
  const renamed = joinPath(parentOf(file) ?? file, `${name.slice(0, -3)}.md`);
  return [
    diagnostic('file_name_case', {
      path: file,
      message: 'only files that end in `.md` are rules, so this one is not used',
      hint: `Rename it to ${renamed}`,
    }),
  ];
}
