import { basename } from "node:path";

type Called = { readonly argv0: string; readonly argv: readonly string[] };

/**
 * One executable that has several names is the program by whose name it is called. Where that name is another one, as it is from
 * source, the first word may say which is meant.
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
