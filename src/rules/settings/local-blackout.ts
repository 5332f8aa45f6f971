import type { Blackout } from "../decide/gate-policy.ts";
import type { LocalRange } from "../window/local-ranges.ts";

/** A blackout in the settings that depends on a time zone. */
export type LocalBlackout = {
  readonly range: LocalRange;
  /** Undefined means the host's zone. */
  readonly timezone: string | undefined;
  readonly reason: string | undefined;
};

export function isLocal(blackout: Blackout | LocalBlackout): blackout is LocalBlackout {
  return "range" in blackout;
}
