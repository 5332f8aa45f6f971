import { accepted, describe, isMapping, refused, refusedAs, type RefusedSetting, type SettingReading } from "./reading.ts";
import { readPath } from "./read-text.ts";
import type { Credential } from "./settings.ts";

/** As many as one command may need, and few enough for one unit. */
const mostCredentials = 16;

/** Of what LoadCredential= takes for a name, what no shell and no list of systemd's would take apart. */
const nameRule = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** By name the file that it stands for. */
export function readCredentials(raw: unknown): SettingReading<readonly Credential[]> {
  if (!isMapping(raw)) return refused(raw);
  const entries = Object.entries(raw);
  if (entries.length > mostCredentials) return refusedAs([{ at: "", found: `a mapping of ${entries.length}` }]);
  const refusals = entries.flatMap(([name, file]) => wrongWith(name, file));
  return refusals.length > 0 ? refusedAs(refusals) : accepted(entries.map(([name, file]) => ({ name, file: String(file) })));
}

function wrongWith(name: string, file: unknown): readonly RefusedSetting[] {
  if (!nameRule.test(name)) return [{ at: "", found: `the name ${describe(name)}` }];
  // systemd puts a unit's specifiers into it, and ends it at white space.
  if (readPath(file).kind === "value" && !/[%\s"'\\]/.test(String(file))) return [];
  return [
    {
      at: `.${name}`,
      found: describe(file),
      allowed: "an absolute path of a file, without white space, quotes, % and backslashes",
    },
  ];
}
