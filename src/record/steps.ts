/** "before": nothing is changed yet. "forth" and "back": the package is, or may be, another one. */
const parts = {
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
} as const;
type Step = keyof typeof parts;
/** Of a move, in their order, and of the way back. */
export const stepParts: Readonly<Record<Step, "before" | "forth" | "back">> = parts;

export function changesHost(step: Step): boolean {
  return stepParts[step] !== "before";
}

export function isWayBack(step: Step): boolean {
  return stepParts[step] === "back";
}
