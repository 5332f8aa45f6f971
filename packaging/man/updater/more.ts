import type { More } from "../commands.ts";

/** Additional text about commands and options. */
export const more: More = {
  status: "Works offline; what this user may not read is named.",
  history:
    "The last fifty, newest first; equal attempts are one line with their count. Every move is there, whether the timer or a person asked for it, and so is what a later pass did " +
    "about one that did not finish. The last lines are the passes since, of the ten that are remembered.",
  doctor:
    "A broken hop does not hide the ones after it. The network is asked as svc-upgrade-ask.service would ask it, not as root. " +
    "The exit status is 69 where something failed.",
  "dry-run":
    "Prints one line that compares the versions; the log says what a pass would do, why, and when. Where a move is due it looks ahead, " +
    "by the package lists as they lie on the host: what no repository offers, and what the package manager would refuse, is said with its fault. " +
    "dnf and zypper tell that to root alone.",
  run: "It is the same unit that the timer starts: a lost terminal ends the following, not the pass.",
  hold:
    "A time is one of: 2d, 1h30m, friday (the next one, at 00:00), monday 08:00, tomorrow 08:00, 2026-12-24, 2026-12-24 08:00, 03:30; by the clocks of " +
    "this host unless it says its offset. The end of a hold is said once, by the first pass after it.",
  pin:
    "A version that the settings downgrade or major would refuse is refused at once. Holds, blackouts and windows count as ever; nothing that is " +
    "called critical does. What is told is what the next pass will do, by what the channel answered last.",
  unpin: "A second time changes nothing. It tells what the next pass will do.",
  retry: "It moves nothing by itself. A version that was served in turn with another one counts as new.",
  rollback: "It does so at once, whatever the window says, and without asking the channel.",
  schedule: "The exit status is 65 where a line is wrong.",
  notify:
    "It goes the way that all events go, waits for the end of the command, which passes do not, and shows what it printed. The exit status is 69 " +
    "where it did not arrive, and 78 where `notify.command` is not set.",
  enroll:
    "Asks the endpoint first, and changes nothing unless it answers. Writes the settings, gives the schedule to the agent's user, starts the timer, " +
    "and ends with a dry run. A second time changes nothing.",
  "--json": "One object, for a fault too; `/usr/share/svc-upgrade/schemas` describes them all, key by key.",
  "--root":
    "Its package scripts run as the package manager's tools do by default; its units and its agent are never started. " +
    "What changes something is refused where a directory of the tree, or on the way to it, belongs to another user; what only looks writes nothing.",
};
