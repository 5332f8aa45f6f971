/** The value of a flag, even if the command line is invalid. */
export function spoken(argv: readonly string[], flag: string): string | undefined {
  const joined = argv.find((word) => word.startsWith(`${flag}=`));
  return joined === undefined ? argv[argv.indexOf(flag) + 1 || argv.length] : joined.slice(flag.length + 1);
}
