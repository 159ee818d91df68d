import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CommandError } from '../command-error.ts';

const path = z.string().min(1);
const mode = z.string().regex(/^[0-7]{3,4}$/, 'an octal mode such as "644"');

const treeEntry = z.strictObject({
  path,
  text: z.string().optional(),
  parts: z.array(z.string()).optional(),
  base64: z.string().optional(),
  size: z.number().int().nonnegative().optional(),
  fill: z.string().min(1).optional(),
  prefix: z.string().optional(),
  symlink: z.string().optional(),
  dir: z.boolean().optional(),
  fifo: z.boolean().optional(),
  mode: mode.optional(),
  dirmode: mode.optional(),
});

const touch = z.strictObject({
  op: z.enum(['read', 'write', 'edit']),
  path,
  outcome: z.enum(['ok', 'refused']).optional(),
});

const stepForms = [
  z.strictObject({ prompt: z.string() }),
  z.strictObject({
    touch: z.array(touch).min(1),
    parallel: z.boolean().optional(),
    kill: z.literal('before-boundary').optional(),
  }),
  z.strictObject({ write: z.strictObject({ path, text: z.string() }) }),
  z.strictObject({ remove: z.strictObject({ path }) }),
  z.strictObject({ rename: z.strictObject({ from: path, to: path }) }),
  z.strictObject({ symlink: z.strictObject({ path, target: z.string().min(1) }) }),
  z.strictObject({ chmod: z.strictObject({ path, mode }) }),
  z.strictObject({ failAppend: z.number().int().positive() }),
  z.strictObject({
    compact: z.strictObject({ keepLast: z.number().int().nonnegative(), summary: z.string().optional() }),
  }),
  z.strictObject({ clear: z.literal(true) }),
  z.strictObject({ rewind: z.number().int().positive() }),
  z.strictObject({ restart: z.literal(true) }),
  z.strictObject({ fork: z.string() }),
  z.strictObject({ session: z.string() }),
  z.strictObject({ spawn: z.string() }),
] as const;

/** One step; `docs/scenarios.md` shows each form. */
export const step = z.union(stepForms);

/** The names of the steps. */
export const STEP_NAMES: readonly string[] = stepForms.map((form) => Object.keys(form.shape)[0] ?? '');

const scenario = z
  .strictObject({
    tree: z.array(treeEntry).optional(),
    root: z.string().optional(),
    lifecycle: z.literal('modules').default('modules'),
    journal: z.enum(['sqlite', 'jsonl', 'memory']).default('sqlite'),
    steps: z.array(step),
  })
  .refine((value) => (value.tree === undefined) !== (value.root === undefined), 'give either `tree` or `root`');

export type Scenario = z.infer<typeof scenario>;
export type Step = z.infer<typeof step>;
export type TreeEntry = z.infer<typeof treeEntry>;
export type Touch = z.infer<typeof touch>;

/** Reads and checks a scenario. Throws a {@link CommandError} that names every fault by its place. */
export async function readScenario(file: string): Promise<Scenario> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new CommandError(`the scenario ${file} cannot be read: ${(cause as Error).message}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CommandError(`the scenario ${file} is not JSON: ${(cause as Error).message}`);
  }
  const parsed = scenario.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const place = issue.path.map(String).join('.') || 'the scenario';
    const known =
      issue.code === 'invalid_union' ? `not a step that is known here (${STEP_NAMES.join(', ')})` : issue.message;
    return `  ${place}: ${known}`;
  });
  throw new CommandError(`the scenario ${file} does not have the right form:\n${faults.join('\n')}`);
}
