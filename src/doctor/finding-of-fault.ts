import { asFault } from "../fault/explain.ts";
import type { Check, CheckName, Finding } from "./check.ts";

/** One check to its end, whatever becomes of it: nothing may hide the checks after it. */
export async function check(name: CheckName, look: () => Finding | Promise<Finding>): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (thrown) {
    return { name, ...findingOf(thrown) };
  }
}

/** What was thrown while something was looked at, as what was found: what needs root is no failure of the host. */
export function findingOf(thrown: unknown): Finding {
  const { code, message, hint } = asFault(thrown);
  return code === "not-permitted" ? needsRoot(message) : { verdict: "failed", ...toldWithHint(message, hint) };
}

export function needsRoot(what: string): Finding {
  return { verdict: "skipped", told: `${what}; run it with sudo`, fix: "sudo svc-upgrade doctor" };
}

/** A hint names its command within a sentence: to be copied it gets a line of its own. */
export function toldWithHint(message: string, hint: string): Pick<Finding, "told" | "fix"> {
  const command = quotedCommand(hint) ?? commandAtEnd.exec(hint)?.[1];
  if (command === undefined) return { told: `${message}; ${hint}` };
  return { told: `${message}; ${hint.replace(`\`${command}\``, below).replace(command, below)}`, fix: command };
}

const below = "the line below";

/** Some hints end in their command, without any quotes. */
const commandAtEnd = /: ((?:sudo|systemctl|journalctl|svc-upgrade) [^;]+)$/;

/** Between backquotes; a single word there is a name, a command has arguments. */
function quotedCommand(hint: string): string | undefined {
  return hint.split("`").find((part, index) => index % 2 === 1 && part.includes(" "));
}
