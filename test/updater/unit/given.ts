import type { Stopwatch } from "../../../src/machine/clocks/stopwatch.ts";
import type { ShownUnit } from "../../../src/updater/unit/shown.ts";

/** A unit that runs, and has run since before anything else happened. */
export const running: ShownUnit = {
  isLoaded: true,
  isMasked: false,
  active: "active",
  sub: "running",
  result: "success",
  isEnabled: true,
  unitFile: "enabled",
  type: "simple",
  wantedBy: [],
  triggeredBy: [],
  trigger: undefined,
  restarts: 0,
  mainPid: 42,
  startedAtUs: 1,
  activeSinceUs: 1,
};

/** A clock that goes on only while somebody waits. */
export function watchOf(): { readonly stopwatch: Stopwatch; readonly atSecond: () => number } {
  let nowMs = 5000;
  const began = nowMs;
  const stopwatch: Stopwatch = {
    nowMs: () => nowMs,
    wait: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
  return { stopwatch, atSecond: () => Math.floor((nowMs - began) / 1000) };
}
