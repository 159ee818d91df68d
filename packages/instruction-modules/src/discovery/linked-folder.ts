import type { Diagnostic } from '@codicil/diagnostics';
import type { ProjectPath } from '@codicil/project-path';
import type { Call } from '../resolve/call.ts';

/**
 * What exactly is wrong with a rules folder that lies at or behind a link: it leads out of the project, it leads nowhere, or it leads to a folder
 * inside, which is not walked either. Asked only when the listing was refused for the link.
 */
export async function whyNotThrough(call: Call, folder: ProjectPath, refusal: Diagnostic): Promise<Diagnostic> {
  const { source, signal } = call;
  const location = await source.locate(folder, { signal });
  const link = location.kind === 'inside' ? location.firstLink : undefined;
  for (const path of link === undefined ? [folder] : [folder, link]) {
    const outcome = await source.read(path, { maxBytes: 0, links: 'inside', signal });
    const found = outcome.kind === 'file' ? undefined : outcome.diagnostic;
    if (found?.code !== 'instruction_module_escape' && found?.code !== 'symlink_dangling') continue;
    return { ...found, path: folder, hint: 'Put the folder itself in the place of the link.', facts: { link: path } };
  }
  return refusal;
}
