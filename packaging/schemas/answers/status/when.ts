import type { ScheduleSeen } from "../../../../src/status/seen.ts";
import { count, instant, list, oneOf, record, text, truth, type Keys } from "../../shapes.ts";

const states: Readonly<Record<ScheduleSeen["schedule"]["kind"] | "denied", string>> = {
  windows: "it holds windows, and not all of them have passed",
  never: "it says nop",
  missing: "there is none",
  empty: "it holds neither a window nor nop",
  invalid: "a line is wrong, so nothing of it is used",
  stale: "all its windows have passed",
  denied: "this user may not read it",
};

const span = { start: instant("its first second"), stop: instant("the first second after it") };
const windows = list("open now or still to come, the first of them", record("one window", { always: span }));

export const whenKeys: Required<Keys> = {
  always: {
    schedule: record("the schedule file", {
      always: { state: oneOf("what it is", states), file: text("its path"), windows },
      sometimes: {
        written: instant("when it was written last"),
        line: count("invalid: the number of the line that is wrong, from 1; 0 is the file as a whole"),
        text: text("invalid: that line"),
        why: text("invalid: what is wrong, for people"),
        ended: instant("stale: when the last window closed"),
      },
    }),
    blackouts: list(
      "those of the settings",
      record("nothing moves in it", { always: span, sometimes: { reason: text("why, as the settings say it") } }),
    ),
  },
  sometimes: {
    window: record("the setting window, which beats the schedule file", {
      always: {
        hour: count("when it opens, in UTC, for one hour"),
        weekdays: list("on which days; empty: every day", text("Mon, Tue, and so on")),
        windows,
      },
    }),
    hold: record("the hold of the settings", {
      always: { active: truth("whether it lasts") },
      sometimes: {
        until: instant("its end; left out: until unhold"),
        reason: text("why, as it was given"),
        origin: text("the file that says it"),
      },
    }),
  },
};
