import type { RunCommand } from "../../machine/processes/command.ts";
import type { UnitName } from "../../rules/settings/settings.ts";
import { showProperties } from "./properties.ts";

/** The variables that the unit's files and drop-ins set with `Environment=`, as systemd has read them. */
export async function unitEnvironment(run: RunCommand, unit: UnitName): Promise<Readonly<Record<string, string>>> {
  return parseShownEnvironment((await showProperties(run, unit, ["Environment"])).Environment);
}

/** The files from which systemd reads more variables when the unit starts, as `/etc/default/svc (ignore_errors=yes)`. */
export async function environmentFilesOf(run: RunCommand, unit: UnitName): Promise<readonly string[]> {
  const { EnvironmentFiles: shown } = await showProperties(run, unit, ["EnvironmentFiles"]);
  return shown.split("\n").flatMap((line) => /^(\/.*) \(ignore_errors=(?:yes|no)\)$/.exec(line)?.[1] ?? []);
}

/** One variable. systemd separates them by spaces, and quotes those that a shell would not read as one word. */
const word = /"((?:[^"\\]|\\.)*)"|(\S+)/g;

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };

export function parseShownEnvironment(shown: string): Readonly<Record<string, string>> {
  const words = [...shown.matchAll(word)].map(([, quoted, plain]) => (quoted === undefined ? (plain ?? "") : unescape(quoted)));
  return Object.fromEntries(words.map((said) => [said.slice(0, said.indexOf("=")), said.slice(said.indexOf("=") + 1)]));
}

function unescape(quoted: string): string {
  return quoted.replaceAll(/\\(.)/g, (_, escaped: string) => escapes[escaped] ?? escaped);
}
