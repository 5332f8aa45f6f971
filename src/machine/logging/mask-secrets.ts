/** Masks secrets in a text before it is shown: the part of a URL before the @, plain or percent-encoded. */
export function mask(text: string): string {
  if (!mayHoldSecret.test(text)) return text;
  return rules.reduce((masked, [pattern, shown]) => masked.replace(pattern, shown), text);
}

/** A quick check, since nearly every line passes here. */
const mayHoldSecret = /@|%(?:25)*40|authorization/i;

/** Our own hints contain `USER:PASSWORD`, which is no secret. It stays unless the text after it may belong to one. */
const rules: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // Masks up to the last @ of the word: a password may hold an @, and even slashes, which a URL forbids.
  [/\/\/(?!USER:PASSWORD@[^\s@%]*(?:\s|$))[^\s/?#:@]*:\S*@/g, "//***@"],
  [/\/\/(?!USER:PASSWORD@[^\s@%]*(?:\s|$))[^\s/?#]*@/g, "//***@"],
  // Masks credentials inside the query of another URL, encoded any number of times.
  [/%(?:25)*2F%(?:25)*2F[^\s&]*(?:@|%(?:25)*40)/gi, "%2F%2F***%40"],
  [/((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:basic|bearer)\s+)[^\s"',]+/gi, "$1***"],
];
