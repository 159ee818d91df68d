import type { Diagnostic } from '@codicil/diagnostics';
import type { ReadOptions } from '@codicil/file-source';
import type { ProjectPath } from '@codicil/project-path';
import type { InstructionModule } from '../contract.ts';
import { type ReadRule, readRule } from '../rules/rule.ts';
import type { RuleReading, RuleRow } from '../rules/rule-row.ts';
import type { Call } from './call.ts';

/** A rule as it was read for delivery. */
export interface FreshRule {
  readonly row: RuleRow;
  readonly reading: RuleReading;
  readonly module: InstructionModule | undefined;
  readonly globRanges: ReadRule['globRanges'];
}

const READ_CHUNK = 256;

/**
 * Reads again what is about to be delivered: the index chooses, the bytes that are sent decide. Between the two a file may have got another
 * text, another condition or none.
 */
export async function readFresh(call: Call, rows: readonly RuleRow[]): Promise<readonly FreshRule[]> {
  const { source, layout, slices, signal } = call;
  const options: ReadOptions = { maxBytes: layout.maxFileBytes, links: 'inside', signal };
  const fresh: FreshRule[] = [];
  for (let start = 0; start < rows.length; start += READ_CHUNK) {
    const chunk = rows.slice(start, start + READ_CHUNK);
    const outcomes = await source.readMany(
      chunk.map((row) => row.path),
      options,
    );
    for (const [index, row] of chunk.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new TypeError('the source answered fewer reads than it was asked for');
      const rule = readRule(row.path, outcome, layout);
      const { reading, content, globRanges } = rule instanceof Promise ? await rule : rule;
      const module = content === undefined ? undefined : moduleOf(row.path, reading, content());
      fresh.push({ row, reading, module, globRanges });
      if (slices.isOver()) await slices.next();
    }
  }
  return fresh;
}

function moduleOf(relPath: ProjectPath, reading: RuleReading, content: string): InstructionModule | undefined {
  if (reading.kind !== 'module') return undefined;
  return { relPath, origin: 'rule', condition: reading.condition, content, sha256: reading.sha256 };
}

/** What is said about the rules: what the index knows, and of those that were read again what was found now. */
export function ruleDiagnostics(noted: readonly RuleRow[], fresh: readonly FreshRule[]): readonly Diagnostic[] {
  const again = new Set(fresh.map(({ row }) => row));
  return [
    ...noted.filter((row) => !again.has(row)).flatMap((row) => row.reading.diagnostics),
    ...fresh.flatMap(({ reading }) => reading.diagnostics),
  ];
}
