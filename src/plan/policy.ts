import type { Blackout, Hold, Settings } from "../settings/settings.ts";
import type { WeeklyWindow } from "../window/weekly.ts";
import type { UnixSeconds } from "../window/window.ts";

/** What was asked of this pass: the timer asks for nothing special. */
export type Asked = {
  /** "back": at once, and to the version that the last move left. */
  readonly when: "timer" | "now" | "back";
  readonly absent: "stop" | "install";
};

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

/** Until the very second that it names. */
export function isHeld(hold: Hold | undefined, now: UnixSeconds): boolean {
  return hold !== undefined && (hold.until === undefined || now < hold.until);
}

export function policyOf(settings: Settings, asked: Asked): Policy {
  const { holds, hold, window, blackouts, unscheduled, downgrade, major } = settings;
  return { asked, holds, hold, window, blackouts, unscheduled, downgrade, major };
}
