/** Takes the secrets out of a text that is about to be shown: what stands before the @ of a URL, as it is or percent-encoded. */
export function mask(text: string): string {
  if (!mayHoldSecret.test(text)) return text;
  return rules.reduce((masked, [pattern, shown]) => masked.replace(pattern, shown), text);
}

/** Nearly every line passes here. */
const mayHoldSecret = /@|%(?:25)*40|authorization/i;

/** How a proxy's line is written is told with `USER:PASSWORD`, which is nobody's: it stays where nothing after it can be a part of a secret. */
const rules: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // Up to the last @ of the word: a password may hold an @, and is written with slashes, too, which a URL forbids.
  [/\/\/(?!USER:PASSWORD@[^\s@%]*(?:\s|$))[^\s/?#:@]*:\S*@/g, "//***@"],
  [/\/\/(?!USER:PASSWORD@[^\s@%]*(?:\s|$))[^\s/?#]*@/g, "//***@"],
  // The same inside the query of another URL, however often it was encoded.
  [/%(?:25)*2F%(?:25)*2F[^\s&]*(?:@|%(?:25)*40)/gi, "%2F%2F***%40"],
  [/((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:basic|bearer)\s+)[^\s"',]+/gi, "$1***"],
];
