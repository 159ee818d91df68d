/** A misuse: the message names what was wrong and the way out. Ends the command with exit code 2. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
