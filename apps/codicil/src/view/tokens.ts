/** Characters that are given to the tokenizer at a time: it is quadratic in the length of a word, and words come from untrusted files. */
const SLICE = 512;

/** The number of tokens of a text, an estimate: models differ, and a long word is counted in slices. */
export type TokenCounter = (text: string) => number;

export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return (text) => {
    let tokens = 0;
    for (let start = 0; start < text.length; ) {
      let end = Math.min(text.length, start + SLICE);
      const blank = end < text.length ? text.lastIndexOf('\n', end) : end;
      if (blank > start) end = blank;
      tokens += countTokens(text.slice(start, end), { disallowedSpecial: new Set() });
      start = end;
    }
    return tokens;
  };
}
