/** apt's options in force, with the names and order of `apt-config dump`. */
export type AptOptions = readonly (readonly [name: string, value: string])[];

export function parseOptions(output: string): AptOptions {
  return output.split("\n").flatMap((line) => {
    const tab = line.indexOf("\t");
    return tab < 0 ? [] : [[line.slice(0, tab), line.slice(tab + 1)] as const];
  });
}

/** Names ignore case; the later of two options is in force. */
export function optionOf(options: AptOptions, name: string): string | undefined {
  return options.findLast(([found]) => found.toLowerCase() === name.toLowerCase())?.[1];
}

/** The entries of a list, whether they have names (`List::first`) or not (`List::`). */
export function listOf(options: AptOptions, name: string): readonly string[] {
  const above = `${name}::`.toLowerCase();
  return options.flatMap(([found, value]) => (found.toLowerCase().startsWith(above) && value !== "" ? [value] : []));
}
