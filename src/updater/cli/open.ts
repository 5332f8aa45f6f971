import { logLevels, type Log } from "../../machine/logging/log.ts";
import { openLog as open, type LogOptions } from "../../machine/logging/open-log.ts";
import type { Surroundings } from "./surroundings.ts";

/** The log by its flag, or by the environment, or by default as text from info on. */
export async function openLog(options: LogOptions, surroundings: Surroundings): Promise<Log> {
  const { environment } = surroundings;
  const logFormat = options.logFormat ?? environment["SVC_UPGRADE_LOG_FORMAT"];
  const logLevel = options.logLevel ?? environment["SVC_UPGRADE_LOG_LEVEL"];
  const log = await open({ logFormat, logLevel }, surroundings);
  warnOfUnused("SVC_UPGRADE_LOG_LEVEL", options.logLevel === undefined ? logLevel : undefined, logLevels);
  warnOfUnused("SVC_UPGRADE_LOG_FORMAT", logFormat, ["text", "json"]);
  return log;

  function warnOfUnused(name: string, found: string | undefined, allowed: readonly string[]): void {
    if (found === undefined || allowed.includes(found)) return;
    log("warning", `${name} is not used`, { found, allowed: allowed.join(" ") });
  }
}
