import type { ScheduleState } from "../../../src/cli/schedule/view.ts";
import type { Answer } from "../answer.ts";
import { count, instant, list, oneOf, record, text, truth } from "../shapes.ts";

export const scheduleStates: Readonly<Record<ScheduleState["kind"], string>> = {
  open: "a window is open",
  closed: "no window is open, and one is to come",
  never: "the file says nop",
  missing: "there is no file",
  empty: "the file holds neither a window nor nop",
  invalid: "a line is wrong, so nothing of the file is used; the exit status is 65",
  stale: "all windows have passed",
};

const range = { start: instant("its first second"), stop: instant("the first second after it") };

export const schedule: Answer = {
  told: "When upgrades may begin, by the schedule file or by the window of the settings.",
  commands: ["schedule"],
  keys: {
    always: {
      source: oneOf("what sets the windows", { file: "a schedule file", window: "the setting window, which beats the file" }),
      state: oneOf("what the schedule means", scheduleStates),
      open: truth("whether upgrades may begin: a window is open, and no blackout lasts"),
      windows: list("the windows that have not passed, in their order", record("one window", { always: range })),
      blackouts: list(
        "the blackouts that last, or cover a part of those windows",
        record("nothing moves in it", { always: range, sometimes: { reason: text("why, as the settings say it") } }),
      ),
      at: instant("the moment for which all this is so: now, or what --at asked about"),
    },
    sometimes: {
      file: text("the path of the schedule file; only where that is the source"),
      origin: text("what sets the window: a file, or an environment variable; only where that is the source"),
      until: instant("open: when the window closes; closed: when the next one opens"),
      since: instant("stale: when the last window closed"),
      line: { ...count("invalid: the number of the line that is wrong, from 1"), minimum: 1 },
      text: text("invalid: that line"),
      why: text("invalid: what is wrong, for people"),
    },
  },
};
