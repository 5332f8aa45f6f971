import { openJsonLog } from "./json-log.ts";
import { logLevels, type Log, type WriteLine } from "./log.ts";
import { textLog } from "./text-log.ts";

/** An unknown format or level means text, from info. */
export type LogOptions = { readonly logFormat: string | undefined; readonly logLevel: string | undefined };

/** Lines for the journal begin with their priority. */
export type LogPlace = { readonly error: WriteLine; readonly stderrIs: "journal" | "terminal" | "other" };

export async function openLog({ logFormat, logLevel }: LogOptions, { error, stderrIs }: LogPlace): Promise<Log> {
  const threshold = logLevels.find((level) => level === logLevel) ?? "info";
  if (logFormat === "json") return openJsonLog(threshold, error);
  return textLog({ threshold, reader: stderrIs === "journal" ? "journal" : "person" }, error);
}
