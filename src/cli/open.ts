import type { Log, LogLevel } from "../host/log.ts";
import { openJsonLog } from "../host/json-log.ts";
import { textLog } from "../host/text-log.ts";
import type { SharedOptions } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

/** The log as it was asked for: by flag, else by environment, else text from info on. */
export async function openLog(
  options: Pick<SharedOptions, "logFormat" | "logLevel">,
  { environment, error, stderrIs }: Surroundings,
): Promise<Log> {
  const format = options.logFormat ?? environment["SVC_UPGRADE_LOG_FORMAT"] ?? "text";
  const level = options.logLevel ?? environment["SVC_UPGRADE_LOG_LEVEL"] ?? "info";
  const threshold = levels.find((known) => known === level) ?? "info";
  const reader = stderrIs === "journal" ? "journal" : "person";
  const log = format === "json" ? await openJsonLog(threshold, error) : textLog({ threshold, reader }, error);
  if (options.logLevel === undefined && level !== threshold)
    log("warning", "SVC_UPGRADE_LOG_LEVEL is not used", { found: level, allowed: levels.join(" ") });
  if (format !== "json" && format !== "text")
    log("warning", "SVC_UPGRADE_LOG_FORMAT is not used", { found: format, allowed: "text json" });
  return log;
}

const levels: readonly LogLevel[] = ["debug", "info", "notice", "warning", "error"];
