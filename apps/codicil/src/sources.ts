import type { Diagnostic } from '@codicil/diagnostics';
import type { FileSource } from '@codicil/file-source';
import { parseProjectPath } from '@codicil/project-path';

const MAX_FRAME_BYTES = 1_048_576;

/** The texts that code frames are cut from: the files that a diagnostic has a range in. */
export async function readSources(
  source: FileSource,
  diagnostics: readonly Diagnostic[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, range } of diagnostics) {
    const parsed = range === undefined || texts.has(path) ? undefined : parseProjectPath(path);
    if (parsed === undefined) continue;
    const outcome = await source.read(parsed, { maxBytes: MAX_FRAME_BYTES, links: 'inside' });
    if (outcome.kind === 'file') texts.set(path, new TextDecoder('utf-8', { ignoreBOM: true }).decode(outcome.bytes));
  }
  return texts;
}
