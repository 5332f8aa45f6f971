import type { ToldFault } from "../../rules/fault/tell-fault.ts";
import type { Log } from "../../machine/logging/log.ts";

/** In as many lines as it has places; the first says what to do next. */
export function logFault(log: Log, { code, message, hint, wrong }: ToldFault, before: string = ""): void {
  const [first = "", ...details] = message.split("\n");
  log("error", `${before}${first.replace(/:$/, "")}; ${hint}`, { fault: code });
  for (const detail of details) log("error", detail, {});
  for (const { at, found, allowed } of wrong) log("error", `${at}: ${found} (allowed: ${allowed})`, {});
}
