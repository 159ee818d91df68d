// `npm start`: sets the project up, then runs the command: a demonstration without arguments, `npm start -- ARGUMENTS` for anything else.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, setUp } from './steps.mjs';

const main = join(root, 'apps', 'codicil', 'dist', 'main.js');
const args = process.argv.slice(2);

// What the command prints may be read by a program: the set-up speaks on the error stream alone.
const isReady = process.env.CODICIL_SKIP_SETUP === '1' && existsSync(main);
const status = isReady ? 0 : setUp((text) => process.stderr.write(text));
process.exitCode = status || run(process.execPath, [main, ...(args.length === 0 ? ['demo'] : args)]);
