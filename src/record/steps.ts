import type { StepName } from "./state.ts";

/** "before": nothing is changed yet. "forth" and "back": the package is, or may be, another one. */
export const stepParts: Readonly<Record<StepName, "before" | "forth" | "back">> = {
  refresh: "before",
  offer: "before",
  simulate: "before",
  keep: "before",
  install: "forth",
  verify: "forth",
  activate: "forth",
  health: "forth",
  "back-install": "back",
  "back-verify": "back",
  "back-activate": "back",
  "back-health": "back",
};

export function changesHost(step: StepName): boolean {
  return stepParts[step] !== "before";
}

export function isWayBack(step: StepName): boolean {
  return stepParts[step] === "back";
}
