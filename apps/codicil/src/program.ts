import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CommandError } from './command-error.ts';
import { version } from './version.ts';
import { type Output, outputTo } from './view/output.ts';
import { processTerminal, type Terminal } from './view/terminal.ts';

const FORMATS = ['text', 'json', 'sarif', 'github'] as const;

/** Laid out by hand for 80 columns. */
const ABOUT = `Which project instructions reach a coding agent: when, exactly once, and whole.

A project keeps its instructions in three places:
  AGENTS.md at the root        sent at the start of every session
  .elowen/rules/**/*.md        rules: with \`paths:\` in its frontmatter, a rule
                               is sent when the agent touches a file that one
                               of its globs matches; otherwise at the start
  AGENTS.md in a folder below  sent when the agent touches a file in or below
                               that folder`;

const EXAMPLES = `
Examples:
  $ codicil explain                   every module, and the files it is about
  $ codicil explain src/users.ts      what a touch of that file brings, and why
  $ codicil check                     every mistake, with its line
  $ codicil check --format github     the same as annotations of a pull request
  $ codicil replay scenario.json      each request of a scripted conversation
  $ codicil journal list              what was delivered, in which session
  $ codicil demo                      a whole session, with a scripted model

Exit codes: 0 fine, 1 findings, 2 misuse.`;

/** Runs the command; its exit code. Nothing but a defect of this program is thrown. */
export async function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const output = outputTo(terminal);
  let code = 0;
  const program = new Command('codicil')
    .description(ABOUT)
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .showHelpAfterError('(codicil --help shows every command)')
    .exitOverride()
    .configureOutput({ writeOut: output.text, writeErr: output.err });

  const root = (): Option =>
    new Option('-r, --root <dir>', 'the root of the project (default: the nearest folder above with a .git)');
  const store = (): Option =>
    new Option(
      '-s, --store <path>',
      'the journal, an SQLite file or a folder of JSON Lines (default: .codicil/journal.sqlite of the project)',
    ).conflicts('root');

  program
    .command('explain')
    .summary('what reaches the model, and why')
    .description(
      'Shows what reaches the model at the start, and what a touch of the paths brings, in order of delivery; for every other module why not. Several paths are one delivery. Without a path: every module and its reach in the project.',
    )
    .argument('[path...]', 'files that an agent touches; relative to the root when --root is given')
    .addOption(root())
    .option('--json', 'print JSON, for programs')
    .option('--content', 'print the texts of the modules too')
    .action(async (paths: string[], o) => {
      code = await (await import('./command/explain.ts')).explain(paths, o, output);
    });

  program
    .command('check')
    .summary('every mistake in the instruction files')
    .description(
      'Looks at every instruction file of the project and says what is wrong, where, and what to write instead. Ends with 1 when something is not used.',
    )
    .addOption(root())
    .addOption(new Option('-f, --format <format>', 'how to print').choices(FORMATS).default('text'))
    .option('--json', 'the same as --format json')
    .action(async (o) => {
      code = await (await import('./command/check.ts')).check({ ...o, format: o.json ? 'json' : o.format }, output);
    });

  program
    .command('replay')
    .summary('a scripted conversation, request by request')
    .description(
      'Plays a scenario in a temporary copy of a tree and prints each provider request exactly as the model would receive it. docs/scenarios.md describes the file.',
    )
    .argument('<scenario>', 'a JSON file')
    .option('--json', 'print each request as a line of JSON')
    .action(async (file: string, o) => {
      code = await (await import('./command/replay.ts')).replay(file, o, output);
    });

  const journal = program
    .command('journal')
    .summary('what was delivered, when, with which hash')
    .description('Reads a journal of sessions.');
  journal
    .command('list')
    .description('Every session of the store.')
    .addOption(root())
    .addOption(store())
    .option('--json', 'print JSON, for programs')
    .action(async (o) => {
      code = await (await import('./command/journal.ts')).listJournal(o, output);
    });
  journal
    .command('show')
    .description('The requests of a session, and what each brought.')
    .argument('<session>', 'its id, as `journal list` shows it')
    .addOption(root())
    .addOption(store())
    .option('-n, --request <number>', 'print that request as it was sent', wholeNumber)
    .option('--json', 'print JSON, for programs')
    .action(async (name: string, o) => {
      code = await (await import('./command/journal.ts')).showJournal(name, o, output);
    });
  journal
    .command('verify')
    .description(
      'Proves the store whole: every entry, every state, every request as sent. Mends a torn tail and says so. Ends with 1 when acknowledged entries are damaged.',
    )
    .addOption(root())
    .addOption(store())
    .option('--json', 'print JSON, for programs')
    .action(async (o) => {
      code = await (await import('./command/journal.ts')).verifyJournal(o, output);
    });

  journal
    .command('salvage')
    .summary('what is sound of a damaged session, as a new one')
    .description(
      'Copies the longest sound branch of SESSION into a new session NEW of the same journal, and says what was damaged. SESSION stays as it is.',
    )
    .argument('<session>', 'the damaged session')
    .argument('<new>', 'the name of the new one')
    .addOption(root())
    .addOption(store())
    .option('--json', 'print JSON, for programs')
    .action(async (session, to, o) => {
      code = await (await import('./command/journal.ts')).salvageJournal(session, to, o, output);
    });

  program
    .command('demo')
    .summary('a whole session, with a scripted model')
    .description(
      'Reads and edits real files in a temporary worktree, delivers what they call for, is killed, resumes, compacts and goes on. The journal stays in .codicil, which Git is told to ignore.',
    )
    .addOption(root())
    .action(async (o) => {
      code = await (await import('./command/demo.ts')).demo(o, output);
    });

  try {
    await program.parseAsync(args, { from: 'user' });
    if (args.length === 0) program.outputHelp();
    return code;
  } catch (error) {
    return failure(error, output);
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 is expected.');
  return Number(text);
}

function failure(error: unknown, output: Output): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandError) {
    output.err(`${error.message}\n`);
    return 2;
  }
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  output.err(`${typeof code === 'string' ? `${code}: ` : ''}${String(message ?? error)}\n`);
  return 2;
}
