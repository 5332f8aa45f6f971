import { basename } from "node:path";

type Called = { readonly argv0: string; readonly argv: readonly string[] };

/**
 * The program to act as. One executable has several names, and acts as the program by whose name it is called. If it is called by another name, as
 * from source, its first word may name the program.
 */
export function calledAs<Name extends string>(
  names: readonly [Name, ...Name[]],
  { argv0, argv }: Called,
): { readonly program: Name; readonly argv: readonly string[] } {
  const [own] = names;
  const byName = names.find((name) => name === basename(argv0));
  if (byName !== undefined && byName !== own) return { program: byName, argv };
  const byWord = names.find((name) => name !== own && name === argv[0]);
  return byWord === undefined ? { program: own, argv } : { program: byWord, argv: argv.slice(1) };
}
