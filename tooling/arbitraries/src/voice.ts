/** The words of a diagnostic. */
interface Words {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What a hint may begin with: it tells what to do. */
const VERBS =
  'Add Change Check Close Copy Correct Delete Give Indent Keep Leave List Make Mend Move Open Point Put Quote Remove Rename Replace Save Shorten Split Spread Stop Type Untie Use Wait Write';

/** A clause: it begins in lower case, with a figure or with something quoted, and ends without a stop. */
const CLAUSE = /^(?:[a-z`\d])(?:(?!\. )[^\n])*[^.!?:;,\s]$/u;
const SENTENCE = new RegExp(`^(?:${VERBS.replaceAll(' ', '|')}) [^\\n]*[^\\s.]\\.$`, 'u');

/** What is wrong with the words of a diagnostic: the one voice in which all of them speak; `[]` when it is that voice. */
export function voiceFaults({ code, message, hint }: Words): readonly string[] {
  const faults: string[] = [];
  if (!CLAUSE.test(message)) faults.push(`${code}: the message is no lower-case clause without a stop: ${message}`);
  if (hint === undefined) faults.push(`${code}: there is no hint: ${message}`);
  else if (!SENTENCE.test(hint)) faults.push(`${code}: the hint is no imperative sentence with a full stop: ${hint}`);
  return faults;
}
