/** Those of one kind that the words of a command line name; all of them where none is named. */
export function named<T extends string>(all: readonly T[], words: readonly string[]): readonly T[] {
  const found = all.filter((one) => words.includes(one));
  return found.length > 0 ? found : all;
}

export function refuseUnknown(words: readonly string[], known: readonly string[]): void {
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new Error(`"${unknown}" is none of ${known.join(", ")}`);
}
