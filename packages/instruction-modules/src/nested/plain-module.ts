import { hash } from 'node:crypto';
import type { Diagnostic } from '@codicil/diagnostics';
import { byteOrderMarkLength, checkText } from '@codicil/frontmatter';
import type { ProjectPath } from '@codicil/project-path';
import type { Condition, InstructionModule } from '../contract.ts';
import { bufferOf, inspectBody, inspectName } from '../text/text.ts';

export const ALWAYS: Condition = { kind: 'always' };

export type PlainModule =
  | { readonly kind: 'module'; readonly module: InstructionModule; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'refused'; readonly diagnostics: readonly Diagnostic[] };

/** A root or nested file: no frontmatter is looked for, all of it less a byte order mark is the body. */
export function readPlainModule(relPath: ProjectPath, bytes: Uint8Array, origin: 'root' | 'nested'): PlainModule {
  const faults = checkText(bytes, relPath);
  if (faults.length > 0) return { kind: 'refused', diagnostics: faults };
  const buffer = bufferOf(bytes);
  const start = byteOrderMarkLength(buffer);
  const body = buffer.subarray(start);
  return {
    kind: 'module',
    module: { relPath, origin, condition: ALWAYS, content: body.toString('utf8'), sha256: hash('sha256', body) },
    diagnostics: [...inspectName(relPath), ...inspectBody(relPath, buffer, start)],
  };
}
