import type { RpmCalls } from "./calls.ts";

/** The installed packages that require exactly one version of the others. If the others move, these must move along or be removed. */
export async function lockedTo(
  ask: RpmCalls["ask"],
  names: readonly string[],
  others: ReadonlySet<string>,
): Promise<readonly string[]> {
  const format = "[%{=NAME}\\t%{REQUIRENAME}\\t%{REQUIREFLAGS:depflags}\\n]";
  const { stdout } = await ask(["-q", "--qf", format, ...names]);
  const locked = parseRequirements(stdout).filter(({ required, order }) => order === "=" && others.has(required));
  return names.filter((name) => locked.some((one) => one.name === name));
}

/** Reads the requirements. In `libfoo(x86-64)`, a package for one architecture, only the name counts. */
export function parseRequirements(
  printed: string,
): readonly { readonly name: string; readonly required: string; readonly order: string }[] {
  return printed.split("\n").flatMap((line) => {
    const [name = "", required = "", order] = line.split("\t").map((field) => field.trim());
    return order === undefined ? [] : [{ name, required: required.replace(/(?!^)\([\w-]+\)$/, ""), order }];
  });
}
