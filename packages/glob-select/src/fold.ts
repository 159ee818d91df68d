/**
 * The text in lower case, character by character, where the lower-case form is one character as well; the others stay. So no length changes
 * and no locale matters.
 */
export function foldCase(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) {
    const lower = character.toLowerCase();
    folded += lower.length === character.length ? lower : character;
  }
  return folded;
}
