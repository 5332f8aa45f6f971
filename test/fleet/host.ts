import type { UnixSeconds } from "../../src/window/window.ts";
import { lookAt, type Look } from "./look.ts";
import type { Scenario } from "./scenario.ts";
import { firingAfter, type Uniform } from "./timer/firing.ts";
import type { Timer } from "./timer/unit-file.ts";

export type OnLook = (at: UnixSeconds, look: Look) => void;

/** Long enough before a scenario that every timer has its place in it. */
const runUpSeconds = 3600;

/** Plays one host through a scenario: every look within it, in order. */
export function playHost(
  scenario: Scenario,
  timer: Timer,
  { uniform, onLook }: { readonly uniform: Uniform; readonly onLook: OnLook },
): void {
  const { from, until, release, window, powerCut } = scenario;
  const fixedShare = uniform();
  let [position, bootedAt, last] = [uniform(), Number.NEGATIVE_INFINITY, from - runUpSeconds];
  let cut = powerCut;
  let isMoved = false;
  const urgency = release?.urgency ?? "usual";
  for (;;) {
    const at = firingAfter(timer, { last, bootedAt, position, fixedShare }, uniform);
    if (cut !== undefined && at >= cut.at) {
      // It never came to that look: its timer starts again when the host is up.
      bootedAt = cut.firstUp + uniform() * (cut.lastUp - cut.firstUp);
      position = uniform();
      cut = undefined;
      continue;
    }
    if (at >= until) return;
    last = at;
    const installed = release === undefined || isMoved || at < release.at ? "served" : "earlier";
    const look = lookAt({ installed, urgency, window }, at);
    if (look.outcome === "moves") isMoved = true;
    if (at >= from) onLook(at, look);
  }
}
