import { resourceKinds } from "../../src/cluster/resource/resource.ts";
import type { DescribedOption } from "../commands.ts";

/** A shell's offers for a value. */
export type Value =
  | { readonly kind: "one-of"; readonly words: readonly string[] }
  | { readonly kind: "file" | "folder" | "user" | "anything" };

export function valueOf({ flag, value, choices }: Pick<DescribedOption, "flag" | "value" | "choices">): Value {
  if (choices.length > 0) return { kind: "one-of", words: choices };
  if (value === "dir") return { kind: "folder" };
  if (value === "file") return { kind: "file" };
  return { kind: flag === "--agent-user" ? "user" : "anything" };
}

/** What to offer for an argument, by its name. */
export function valueOfArgument(name: string): Value {
  if (name.startsWith("kind")) return { kind: "one-of", words: resourceKinds };
  if (name === "dir") return { kind: "folder" };
  return { kind: name === "file" ? "file" : "anything" };
}

/** The options that may stand in place of a command. */
export function programOptions(program: string): readonly (readonly [flag: string, told: string])[] {
  return [
    ["--help", "show the commands"],
    ["--version", `print the version of ${program}`],
  ];
}
