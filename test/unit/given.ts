import type { ShownUnit } from "../../src/unit/shown.ts";

/** A unit that runs, and has run since before anything else happened. */
export const running: ShownUnit = {
  isLoaded: true,
  active: "active",
  sub: "running",
  result: "success",
  isEnabled: true,
  restarts: 0,
  mainPid: 42,
  startedAtUs: 1,
  activeSinceUs: 1,
};
