import type { LocalWindow } from "./local.ts";
import { weeklyWindows, type WeeklyWindow } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** The settings' windows, in place of the schedule file. */
export type OwnWindows = {
  /** Windows that open at an hour of UTC. */
  readonly hourly: readonly WeeklyWindow[];
  /** Windows that open at a time of day in some zone. */
  readonly local: readonly LocalWindow[];
  /** The local windows around now as instants, because this code knows no time zones. */
  readonly spans: readonly Window[];
};

/** The part of the windows that decides whether one is open. */
export type OpenTimes = Pick<OwnWindows, "hourly" | "spans">;

/** The windows around an instant, always including the open one and the next one. */
export function ownWindowsAt({ hourly, spans }: OpenTimes, now: UnixSeconds): readonly Window[] {
  return [...hourly.flatMap((weekly) => weeklyWindows(weekly, now)), ...spans];
}
