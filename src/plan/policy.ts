import type { Blackout, Hold, Settings } from "../settings/settings.ts";
import type { WeeklyWindow } from "../window/weekly.ts";

/** What was asked of this pass: the timer asks for nothing special. */
export type Asked = { readonly when: "timer" | "now"; readonly absent: "stop" | "install" };

/** The settings that a decision rests on. */
export type Policy = {
  readonly asked: Asked;
  readonly holds: Settings["holds"];
  readonly hold: Hold | undefined;
  readonly window: WeeklyWindow | undefined;
  readonly blackouts: readonly Blackout[];
  readonly unscheduled: Settings["unscheduled"];
  readonly downgrade: Settings["downgrade"];
  readonly major: Settings["major"];
};

export function policyOf(settings: Settings, asked: Asked): Policy {
  const { holds, hold, window, blackouts, unscheduled, downgrade, major } = settings;
  return { asked, holds, hold, window, blackouts, unscheduled, downgrade, major };
}
