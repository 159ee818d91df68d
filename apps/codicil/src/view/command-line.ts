/** How this command was called, so that a hint can be typed as it stands: from a clone by `npm start`, otherwise by its name. */
export function commandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const command = environment['npm_lifecycle_event'] === 'start' ? ['npm', 'start', '--'] : ['codicil'];
  return [...command, ...args.map(quoted)].join(' ');
}

/** An argument as a POSIX shell reads it. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
