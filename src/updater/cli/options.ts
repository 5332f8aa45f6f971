import type { Given } from "../../machine/command-line/row.ts";
import { realpathSync, statSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { errnoWords } from "../../machine/files/errno.ts";

/** Options that every command understands. */
export type SharedOptions = {
  readonly root: string;
  readonly endpoint: string | undefined;
  readonly channel: string | undefined;
  readonly json: boolean;
  readonly logFormat: "text" | "json" | undefined;
  readonly logLevel: string | undefined;
};

export type EnrollOptions = SharedOptions & {
  readonly package: string | undefined;
  readonly unit: string | undefined;
  readonly agentUser: string | undefined;
};

export function sharedOptions(given: Given): SharedOptions {
  const format = given.text("logFormat");
  return {
    root: rootFolder(given.text("root") ?? "/"),
    endpoint: given.text("endpoint"),
    channel: given.text("channel"),
    json: given.format === "json",
    logFormat: format === "text" || format === "json" ? format : undefined,
    logLevel: given.text("logLevel"),
  };
}

/**
 * Characters that are safe in a root's name. Package managers interpret it: apt writes it between quotes into configuration, and rpm runs what
 * follows a percent sign.
 */
const unambiguous = /^[\p{L}\p{M}\p{N} /._+@:,=~-]*$/u;

/** The given root, absolute and without links. An empty or misspelt name never means this machine, and makes no directory. */
function rootFolder(named: string): string {
  if (named === "") throw unusable(named, "it is empty");
  try {
    const folder = realpathSync(named);
    if (!unambiguous.test(folder)) throw unusable(folder, notPlain);
    if (statSync(folder).isDirectory()) return folder;
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw unusable(named, errnoWords(thrown));
  }
  throw unusable(named, "it is no folder");
}

/** The longest path that the kernel accepts. */
const longestPath = 4096;

const notPlain = "package managers would read more in its name; letters, digits, spaces and _ . + - @ : , = ~ are allowed";

function unusable(named: string, why: string): Fault {
  return new Fault("usage", {
    message: `--root "${quote(named, longestPath)}" cannot be worked on: ${why}`,
    hint: "name the folder that holds the other system's etc and var; without --root this machine is meant",
  });
}
