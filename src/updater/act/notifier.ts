import { lstatSync, readdirSync, statSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import type { RunCommand } from "../../machine/processes/command.ts";
import { reach, tellBarred, type NotReached } from "../../machine/files/foreign-file.ts";
import { kindOf } from "../../machine/files/read-file.ts";
import { removeFile } from "../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import type { Notifier } from "../pass/ports.ts";
import { decodeEvent, eventId, type NotifyEvent } from "../record/event.ts";
import type { NotifySettings } from "../../rules/settings/settings.ts";
import { decode } from "../../rules/shape/read.ts";
import { eventFile, notificationEnd, startNotification } from "../unit/notify-command.ts";

export type NotifyHands = {
  readonly notify: NotifySettings;
  readonly run: RunCommand;
  /** A directory of root's in memory. */
  readonly directory: string;
  /** The event as the command receives it. */
  readonly write: (event: NotifyEvent) => string;
};

/** How many ends to remember until the deciding unit asks. */
const mostEnds = 40;

/** Believes only that an event has the right form. Root's settings name the program and its files. */
export function notifierHere({ notify, run, directory, write }: NotifyHands): Notifier {
  return {
    start: async (told) => {
      if (notify.command.length === 0) return "not set";
      const event = decodeEvent(told);
      if (event.kind === "unreadable") throw unreadable(event.why);
      refuseUnusable(notify);
      const wanted = { id: event.value.id, directory, notify };
      forgetOldest(directory);
      writeFileAtomically(eventFile(wanted), `${write(event.value)}\n`, { root: "/", mode: 0o600, fault: "file-failed" });
      const started = await startNotification(run, wanted).catch((thrown: unknown) => {
        removeFile(eventFile(wanted), "/");
        throw thrown;
      });
      if (started === "busy") removeFile(eventFile(wanted), "/");
      return started;
    },
    ends: async (ids) => {
      const known = ids.filter((id) => decode(JSON.stringify(id), eventId, "ignored").kind === "read");
      return Promise.all(known.map(async (id) => ({ id, ...(await notificationEnd(run, { id, directory })) })));
    },
  };
}

/**
 * Refuses a credential's file that is missing or a pipe: with the first, systemd would fail the unit without a useful message, and with the second it
 * would wait.
 */
function refuseUnusable({ credentials }: NotifySettings): void {
  const wrong = credentials.flatMap(({ name, file }) => {
    const why = isHidden(file) ? undefined : wrongWith(reach(file, "follow", unlessFile));
    return why === undefined ? [] : [`${name} (${file}): ${why}`];
  });
  if (wrong.length === 0) return;
  throw new Fault("settings-invalid", {
    message: `notify.credentials names files that cannot be used: ${wrong.join(", ")}`,
    hint: "write the file, for root alone, then try it: sudo svc-upgrade notify",
  });
}

function unlessFile(place: string): "a file" | { readonly kind: "refused"; readonly why: string } {
  const stats = statSync(place);
  return stats.isFile() ? "a file" : { kind: "refused", why: `it is ${kindOf(stats)}` };
}

function wrongWith(reached: "a file" | NotReached): string | undefined {
  if (reached === "a file") return undefined;
  switch (reached.kind) {
    case "missing":
      return "it is not there";
    case "denied":
      return "it may not be looked at";
    case "refused":
      return reached.why;
    case "barred":
      return tellBarred(reached);
  }
}

/** Whether the path is hidden from this unit. systemd sees it. */
function isHidden(file: string): boolean {
  return /^\/+(?:home|root|run\/user|tmp|var\/tmp)\//.test(file);
}

function forgetOldest(directory: string): void {
  const ends = readdirSync(directory).filter((name) => /^notify-[\da-f]{32}\.end$/.test(name));
  if (ends.length < mostEnds) return;
  const at = (name: string): number => lstatSync(`${directory}/${name}`).mtimeMs;
  for (const name of ends.toSorted((one, other) => at(other) - at(one)).slice(mostEnds)) removeFile(`${directory}/${name}`, "/");
}

function unreadable(why: string): Fault {
  return new Fault("hand-over-invalid", {
    message: `svc-upgrade-act.service cannot read the event that is to be sent: ${why}`,
    hint: "see whether both halves are of one release: restart the pass, `systemctl start svc-upgrade.service`",
  });
}
