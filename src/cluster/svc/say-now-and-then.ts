import { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";

/** Logs the line at most once a minute, because anybody can cause it. */
const tellEveryMs = 60_000;

export function sayNowAndThen(log: Log, sentence: string): (thrown: unknown) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (thrown) => {
    if (monotonicMs() - toldMs < tellEveryMs) return;
    toldMs = monotonicMs();
    const isFault = thrown instanceof Fault;
    log("warning", sentence, {
      why: thrown instanceof Error ? thrown.message : String(thrown),
      next: isFault ? thrown.hint : undefined,
    });
  };
}
