import type { UnixSeconds, Window } from "../../src/window/window.ts";
import type { Release } from "./look.ts";

/** All hosts lose their power at once; each is up again at some moment between the two. */
export type PowerCut = { readonly at: UnixSeconds; readonly firstUp: UnixSeconds; readonly lastUp: UnixSeconds };

export type Scenario = {
  readonly name: "day" | "window" | "reboot" | "critical";
  readonly title: string;
  readonly from: UnixSeconds;
  readonly until: UnixSeconds;
  /** What a reader counts the time from. */
  readonly event: UnixSeconds;
  readonly release: Release | undefined;
  readonly window: Window | undefined;
  readonly powerCut: PowerCut | undefined;
};

const minute = 60;
const hour = 60 * minute;

/** All on one day, in UTC: what counts are the moments within it. */
export const scenarios: readonly Scenario[] = [
  {
    name: "day",
    title: "A day: a version is served from 10:00, the window opens at 22:00",
    from: 0,
    until: 24 * hour,
    event: 0,
    release: { at: 10 * hour, urgency: "usual" },
    window: { start: 22 * hour, stop: 23 * hour },
    powerCut: undefined,
  },
  {
    name: "window",
    title: "The window of all hosts opens",
    from: 21 * hour + 45 * minute,
    until: 22 * hour + 30 * minute,
    event: 22 * hour,
    release: { at: 10 * hour, urgency: "usual" },
    window: { start: 22 * hour, stop: 23 * hour },
    powerCut: undefined,
  },
  {
    name: "reboot",
    title: "Power comes back to all hosts after 25 minutes",
    from: 3 * hour - 15 * minute,
    until: 3 * hour + 65 * minute,
    event: 3 * hour + 27 * minute,
    release: undefined,
    window: undefined,
    // A machine needs between half a minute and a minute to come up.
    powerCut: { at: 3 * hour + 2 * minute, firstUp: 3 * hour + 27.5 * minute, lastUp: 3 * hour + 28 * minute },
  },
  {
    name: "critical",
    title: "A critical version is released",
    from: 14 * hour - 12 * minute,
    until: 14 * hour + 33 * minute,
    event: 14 * hour + 3 * minute,
    release: { at: 14 * hour + 3 * minute, urgency: "critical" },
    window: undefined,
    powerCut: undefined,
  },
];
