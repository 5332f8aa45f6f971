import { encode } from "../../../rules/shape/write.ts";
import { pathsBelow } from "../../../machine/files/paths.ts";
import { prepare } from "../../sources/settings.ts";
import type { CommandContext } from "../context.ts";
import type { SharedOptions } from "../options.ts";
import { sourcesOf } from "../wiring/sources.ts";
import { originText } from "../../../rules/settings/explain.ts";
import { settingsReference } from "../../../rules/settings/reference.ts";
import type { SettingRow } from "../../../rules/settings/settings.ts";
import { always, answer, anything, line, list, recordOf } from "../../../rules/shape/answer.ts";
import { words } from "../../../rules/shape/shape.ts";

export async function config(options: SharedOptions, context: CommandContext): Promise<number> {
  const { rows } = await prepare(sourcesOf(pathsBelow(options.root), context, options));
  context.surroundings.out(options.json ? `${JSON.stringify(encode(configAnswer, rows))}\n` : showConfig(rows));
  return 0;
}

/** Prints each setting as in a fragment, and where it comes from. */
function showConfig(rows: readonly SettingRow[]): string {
  const lines = rows.map(({ key, value, origin }) => [`${key}: ${written(value)}`, originText(origin)] as const);
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `${left.padEnd(width)}  # ${right}\n`).join("");
}

const anyValue = anything<unknown>({ type: ["string", "number", "boolean", "array", "object", "null"] });

const setting = recordOf<SettingRow>("one setting")({
  key: always(
    "its name; a dot is one level of a settings file",
    words<string>(Object.fromEntries(settingsReference().map((row) => [row.key, row]))),
    "key",
  ),
  value: always("as it would be written in a settings file; null where nothing is set", anyValue, ({ value }) => value ?? null),
  origin: always(
    "where it was said: a file, an environment variable, an option of the command line, or built-in",
    line,
    ({ origin }) => originText(origin),
  ),
});

export const configAnswer = answer<readonly SettingRow[]>("Every setting in force, and where it comes from.")({
  settings: always("one for each setting there is", list(setting), (rows: readonly SettingRow[]) => rows),
});

function written(value: unknown): string {
  return value === undefined ? "~" : JSON.stringify(value);
}
