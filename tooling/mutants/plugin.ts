import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** One deliberate fault: a text of a source file, found exactly once, and what stands there instead. */
export interface Mutant {
  /** The number of the invariant whose property test must fail. */
  readonly invariant: string;
  /** What a person would have got wrong. */
  readonly fault: string;
  /** Relative to the package. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The project whose tests judge it, when that is not the package itself. */
  readonly project?: string;
}

/** Puts the fault named by `CODICIL_MUTANT` (`<package folder>#<index>`) into the source as it is loaded; the disk keeps the honest text. */
export function mutantPlugin(): Plugin {
  const name = process.env['CODICIL_MUTANT'];
  if (name === undefined) return { name: 'codicil-mutant' };
  const [folder = '', index = ''] = name.split('#');
  const mutants: readonly Mutant[] = JSON.parse(readFileSync(resolve(folder, 'test/mutants.json'), 'utf8'));
  const mutant = mutants[Number(index)];
  if (mutant === undefined) throw new Error(`there is no mutant ${name}`);
  const target = resolve(folder, mutant.file);
  return {
    name: 'codicil-mutant',
    enforce: 'pre',
    transform(code, id) {
      if (id.split('?')[0] !== target) return undefined;
      const places = code.split(mutant.find).length - 1;
      if (places !== 1) throw new Error(`${name}: the text to replace was found ${places} times in ${mutant.file}`);
      return code.replace(mutant.find, () => mutant.replace);
    },
  };
}
