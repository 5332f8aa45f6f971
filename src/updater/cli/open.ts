import { logLevels, type Log } from "../../machine/logging/log.ts";
import { openLog as open, type LogOptions } from "../../machine/logging/open-log.ts";
import { spoken } from "../../machine/command-line/flag-value.ts";
import { asTyped } from "./screen/status/with-root.ts";
import type { Surroundings } from "./surroundings.ts";

/** Where a sentence has a command to type: prose names commands as well. */
const toType = /`[^`]*`|lifted by: .*/gs;

/** The log by its flag, or by the environment, or by default as text from info on. */
export async function openLog(options: LogOptions, surroundings: Surroundings): Promise<Log> {
  const { environment } = surroundings;
  const logFormat = options.logFormat ?? environment["SVC_UPGRADE_LOG_FORMAT"];
  const logLevel = options.logLevel ?? environment["SVC_UPGRADE_LOG_LEVEL"];
  const log = await open({ logFormat, logLevel }, surroundings);
  warnOfUnused("SVC_UPGRADE_LOG_LEVEL", options.logLevel === undefined ? logLevel : undefined, logLevels);
  warnOfUnused("SVC_UPGRADE_LOG_FORMAT", logFormat, ["text", "json"]);
  const root = spoken(surroundings.argv, "--root") ?? "/";
  if (root === "/") return log;
  // Typed as they stand, our commands would otherwise work on this machine instead of the other root.
  return (level, sentence, fields) =>
    log(
      level,
      sentence.replaceAll(toType, (told) => asTyped(told, root)),
      fields,
    );

  function warnOfUnused(name: string, found: string | undefined, allowed: readonly string[]): void {
    if (found === undefined || allowed.includes(found)) return;
    log("warning", `${name} is not used`, { found, allowed: allowed.join(" ") });
  }
}
