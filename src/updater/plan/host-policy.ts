import type { GatePolicy, MoveTakes } from "../../rules/decide/gate-policy.ts";
import type { Settings } from "../../rules/settings/settings.ts";

/** What was asked of this pass: the timer asks for nothing special. */
export type Asked = {
  /** "back": at once, and to the version that the last move left. */
  readonly when: GatePolicy["asked"]["when"];
  readonly absent: "stop" | "install";
  /** Somebody typed it, and reads what it says. */
  readonly by?: "hand";
};

/** The settings that a decision on a host rests on. */
export type Policy = GatePolicy & { readonly asked: Asked; readonly holds: Settings["holds"] };

/** A window lasts an hour and the timer needs up to a quarter of it to come round: never ask for more than the rest. */
export const moveTakes: MoveTakes = { atLeastSeconds: 600, atMostSeconds: 2700 };

export function policyOf(settings: Settings, asked: Asked): Policy {
  const { holds, hold, pin, window, blackouts, unscheduled, downgrade, major } = settings;
  return { asked, holds, hold, pin, window, blackouts, unscheduled, downgrade, major, moveTakes };
}
