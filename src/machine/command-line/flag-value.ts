/** What a flag says, also where the command line as a whole was not understood. */
export function spoken(argv: readonly string[], flag: string): string | undefined {
  const joined = argv.find((word) => word.startsWith(`${flag}=`));
  return joined === undefined ? argv[argv.indexOf(flag) + 1 || argv.length] : joined.slice(flag.length + 1);
}
