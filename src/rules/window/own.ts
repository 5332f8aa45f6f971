import type { LocalWindow } from "./local.ts";
import { weeklyWindows, type WeeklyWindow } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** The settings' windows, in place of the schedule file. */
export type OwnWindows = {
  /** Those that open at an hour of UTC. */
  readonly hourly: readonly WeeklyWindow[];
  /** Those that open at a time of some zone. */
  readonly local: readonly LocalWindow[];
  /** The local windows around now, as instants: zones cannot be computed here. */
  readonly spans: readonly Window[];
};

/** The part that decides. */
export type OpenTimes = Pick<OwnWindows, "hourly" | "spans">;

/** The windows around an instant, always including the open one and the next one. */
export function ownWindowsAt({ hourly, spans }: OpenTimes, now: UnixSeconds): readonly Window[] {
  return [...hourly.flatMap((weekly) => weeklyWindows(weekly, now)), ...spans];
}
