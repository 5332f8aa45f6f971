import type { Version } from "../../rules/version/version.ts";

/** "before": nothing has changed yet. "forth" and "back": the package has changed, or may have changed. */
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
/** The steps of a move, in order, then those of the rollback. */
export const stepParts: Readonly<Record<Step, "before" | "forth" | "back">> = parts;

/** What a pass does in that step, as the end of a sentence. */
export const doingIn: Readonly<Record<Step, (served: Version) => string>> = {
  refresh: (served) => `refreshing the package lists for ${served}`,
  offer: (served) => `looking for ${served} in the repositories`,
  simulate: (served) => `simulating the installation of ${served}`,
  keep: (served) => `saving packages for the move to ${served}`,
  install: (served) => `installing ${served}`,
  verify: (served) => `verifying ${served}`,
  activate: (served) => `starting ${served}`,
  health: (served) => `checking the health of ${served}`,
  "back-install": (served) => `rolling back from ${served}: installing the previous version`,
  "back-verify": (served) => `rolling back from ${served}: verifying the previous version`,
  "back-activate": (served) => `rolling back from ${served}: starting the previous version`,
  "back-health": (served) => `rolling back from ${served}: checking the health of the previous version`,
};

export function changesHost(step: Step): boolean {
  return stepParts[step] !== "before";
}
