import type { GatePolicy, MoveTakes } from "../../rules/decide/gate-policy.ts";
import type { Settings } from "../../rules/settings/settings.ts";

/** What somebody asked this pass to do. The timer asks for nothing special. */
export type Asked = {
  /** "back": at once to the version before the last move. */
  readonly when: GatePolicy["asked"]["when"];
  readonly absent: "stop" | "install";
  /** Somebody typed it and reads its output. */
  readonly by?: "hand";
};

export type Policy = GatePolicy & { readonly asked: Asked; readonly holds: Settings["holds"] };

/** A window lasts an hour and the timer may come 15 minutes late, so a move must fit into 45 minutes. */
export const moveTakes: MoveTakes = { atLeastSeconds: 600, atMostSeconds: 2700 };

export function policyOf(settings: Settings, asked: Asked): Policy {
  const { holds, hold, pin, window, blackouts, unscheduled, downgrade, major } = settings;
  return { asked, holds, hold, pin, window, blackouts, unscheduled, downgrade, major, moveTakes };
}
