import type { LocalWindow } from "./local.ts";
import { weeklyWindows, type WeeklyWindow } from "./weekly.ts";
import type { UnixSeconds, Window } from "./window.ts";

/** The windows that the settings set, in place of the schedule file. */
export type OwnWindows = {
  /** Those that open at an hour of UTC. */
  readonly hourly: readonly WeeklyWindow[];
  /** Those that open when the clocks of some zone show a time. */
  readonly local: readonly LocalWindow[];
  /** What the local ones come to, around now: their zones are nothing that could be reckoned here. */
  readonly spans: readonly Window[];
};

/** What of them decides. */
export type OpenTimes = Pick<OwnWindows, "hourly" | "spans">;

/** The windows around an instant: enough that the open one and the next one are always among them. */
export function ownWindowsAt({ hourly, spans }: OpenTimes, now: UnixSeconds): readonly Window[] {
  return [...hourly.flatMap((weekly) => weeklyWindows(weekly, now)), ...spans];
}
