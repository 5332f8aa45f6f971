import type { More } from "../commands.ts";

/** What the one line of the help leaves out, of commands and of options. */
export const more: More = {
  status: "Works offline; what this user may not read is named.",
  doctor:
    "A broken hop does not hide the ones after it. The network is asked as svc-upgrade-ask.service would ask it, not as root. " +
    "The exit status is 69 where something failed.",
  "dry-run": "Prints one line that compares the versions; the log says what a pass would do, why, and when.",
  run: "It is the same unit that the timer starts: a lost terminal ends the following, not the pass.",
  hold: "The end of a hold is said once, by the first pass after it.",
  retry: "It moves nothing by itself. A version that was served in turn with another one counts as new.",
  rollback: "It does so at once, whatever the window says, and without asking the channel.",
  schedule: "The exit status is 65 where a line is wrong.",
  enroll:
    "Asks the endpoint first, and changes nothing unless it answers. Writes the settings, gives the schedule to the agent's user, starts the timer, " +
    "and ends with a dry run. A second time changes nothing.",
  "--json": "One object, for a fault too; `/usr/share/svc-upgrade/schemas` describes them all, key by key.",
  "--root":
    "Its package scripts run as the package manager's tools do by default; its units and its agent are never started. " +
    "What changes something is refused where a directory of the tree, or on the way to it, belongs to another user; what only looks writes nothing.",
};
