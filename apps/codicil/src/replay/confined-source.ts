import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { diagnostic } from '@codicil/diagnostics';
import type { FileSource, ReadOutcome } from '@codicil/file-source';

/**
 * A source that gives nothing from beyond the folder that holds the root. Elsewhere a person chose where the root file links to, and that may be
 * anywhere; here a stranger's scenario did.
 */
export function confinedSource(source: FileSource): FileSource {
  const top = dirname(realpathSync(source.root));

  function confine(outcome: ReadOutcome): ReadOutcome {
    if (outcome.kind !== 'file' || outcome.realPath !== undefined) return outcome;
    const { path } = outcome;
    if (isBelow(top, join(source.root, path))) return outcome;
    return {
      kind: 'refused',
      diagnostic: diagnostic('instruction_module_escape', {
        path,
        message: 'the name resolves to a place outside the temporary folder of the scenario',
        hint: 'Put the text into the `tree` of the scenario.',
      }),
    };
  }

  return {
    ...source,
    read: async (path, o) => confine(await source.read(path, o)),
    readMany: async (paths, o) => (await source.readMany(paths, o)).map(confine),
    async readFirst(folder, names, o) {
      const first = await source.readFirst(folder, names, o);
      return { ...first, outcome: confine(first.outcome) };
    },
  };
}

/** What cannot be resolved any more is not proved to lie below. */
function isBelow(top: string, path: string): boolean {
  try {
    return realpathSync(path).startsWith(`${top}${sep}`);
  } catch (cause) {
    if (typeof (cause as NodeJS.ErrnoException).code === 'string') return false;
    throw cause;
  }
}
