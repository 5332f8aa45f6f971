import type { ToldFault } from "../../rules/fault/tell-fault.ts";
import type { Log } from "../logging/log.ts";
import { openLog, type LogPlace } from "../logging/open-log.ts";
import { spoken } from "./flag-value.ts";

type Beside = { readonly before?: string; readonly cause?: string | undefined };

/** Writes a line for each wrong place. The first line says what to do next. */
export function logFault(log: Log, { code, message, hint, wrong }: ToldFault, { before = "", cause }: Beside = {}): void {
  const [first = "", ...details] = message.split("\n");
  log("error", `${before}${first.replace(/:$/, "")}; ${hint}`, { fault: code, cause });
  for (const detail of details) log("error", detail, {});
  for (const { at, found, allowed } of wrong) log("error", `${at}: ${found} (allowed: ${allowed})`, {});
}

type Ended = { readonly thrown: unknown; readonly fault: ToldFault; readonly cause?: string | undefined };

/** Ends a command whose stderr is a log. Its log options count even if the command line is invalid. */
export async function endInLog(
  { thrown, fault, cause }: Ended,
  { argv, ...place }: LogPlace & { readonly argv: readonly string[] },
): Promise<number> {
  const log = await openLog({ logFormat: spoken(argv, "--log-format"), logLevel: spoken(argv, "--log-level") }, place);
  logFault(log, fault, { cause });
  if (fault.code === "bug" && thrown instanceof Error) log("debug", "where it came from", { stack: thrown.stack });
  return fault.exit;
}
