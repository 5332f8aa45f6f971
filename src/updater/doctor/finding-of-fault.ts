import { commandsIn } from "../../rules/fault/commands.ts";
import { asFault } from "../../rules/fault/explain.ts";
import { skipped, type Check, type CheckName, type Finding } from "./check.ts";

/** Runs one check, whatever happens: nothing may hide the checks after it. */
export async function check(name: CheckName, look: () => Finding | Promise<Finding>): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (thrown) {
    return { name, ...findingOf(thrown) };
  }
}

/** Makes a finding of an exception. Missing rights are no failure of the host. */
export function findingOf(thrown: unknown): Finding {
  const { code, message, hint } = asFault(thrown);
  return code === "not-permitted" ? needsRoot(message) : { verdict: "failed", ...toldWithHint(message, hint) };
}

export function needsRoot(what: string): Finding {
  return skipped(`${what}; run it with sudo`, "sudo svc-upgrade doctor");
}

/** Takes the first command out of a hint, for a line that people can copy. Does not repeat it if it ends the sentence. */
export function toldWithHint(message: string, hint: string): Pick<Finding, "told" | "fix"> {
  const [command] = commandsIn(hint);
  if (command === undefined) return { told: `${message}; ${hint}` };
  const end = `: \`${command}\``;
  return { told: `${message}; ${hint.endsWith(end) ? hint.slice(0, -end.length) : hint}`, fix: command };
}
