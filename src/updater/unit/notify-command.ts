import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { askingAgain, isCutOff } from "../../machine/processes/ask-systemd-again.ts";
import type { RunCommand } from "../../machine/processes/command.ts";
import type { Ended } from "../record/notifications.ts";
import type { NotifySettings } from "../../rules/settings/settings.ts";
import { complaint } from "./complaint.ts";
import { toolEnvironment } from "./environment.ts";
import { literally, strangersSandbox } from "./sandbox.ts";
import { readEnd, writeEndCommand, type TransactionEnd } from "./transaction-end.ts";

/** A message is on its way in seconds; one that is not is tried again. */
export const longestNotifySeconds = 60;
const obeySeconds = 5;
/** The answer of PID 1 to one message. */
const startTimeoutMs = 20_000;

/** Where systemd-run looks for a program by its bare name: the host's own first, then what administrators have added. */
export const notifyPath: readonly string[] = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin", "/usr/local/bin"];
const startEnvironment = { ...toolEnvironment, PATH: notifyPath.join(":") };

/** Fixed names, so that systemd itself lets no more of them run at once. */
const units: readonly string[] = [1, 2, 3, 4].map((number) => `svc-upgrade-notify-${number}.service`);

/** Of root's own, in memory: a boot later nothing is known of what was started before it. */
export const notifyDirectory = "/run/svc-upgrade";

/** The field by which a command's lines are found again in the journal. */
const idField = "SVC_UPGRADE_NOTIFICATION";

/** As the health check's, and besides: it reads the event, and files of root's; it may write less, to the journal too. */
const sandbox: readonly string[] = [
  ...strangersSandbox,
  "InaccessiblePaths=-/dev/shm -/dev/mqueue -/dev/hugepages",
  // To a journal that keeps it for weeks, and to its own /tmp, which goes with it.
  "LogRateLimitIntervalSec=60s",
  "LogRateLimitBurst=20",
  "LimitFSIZE=1M",
  "MemoryMax=128M",
  "TasksMax=32",
  `RuntimeMaxSec=${longestNotifySeconds}`,
  `TimeoutStopSec=${obeySeconds}`,
  // Else the line above would keep the command's own words out, too.
  "SyslogLevel=notice",
  "StandardOutput=journal",
  "StandardError=journal",
  "SyslogIdentifier=svc-upgrade-notify",
];

export type NotifyUnit = {
  readonly id: string;
  /** Of root's own: the event lies there while the command reads it, and how that ended. */
  readonly directory: string;
  readonly notify: NotifySettings;
};

export function eventFile({ id, directory }: Pick<NotifyUnit, "id" | "directory">): string {
  return `${directory}/notify-${id}.json`;
}

export function endFile({ id, directory }: Pick<NotifyUnit, "id" | "directory">): string {
  return `${directory}/notify-${id}.end`;
}

/** Nothing of the event is in it: every user of the host may read an argument vector. */
export function notifyArgv(unit: string, wanted: NotifyUnit): readonly [string, ...string[]] {
  const { id, notify } = wanted;
  const properties = [
    ...sandbox,
    `StandardInput=file:${eventFile(wanted)}`,
    `LogExtraFields=${idField}=${id}`,
    ...notify.credentials.map(({ name, file }) => `LoadCredential=${name}:${file}`),
    // By root, and outside of the sandbox, whose user could not write there. Not by a `+`, which systemd 252 writes down so that it does
    // not know it again once it has read its units anew, as packages have it do: the end would never be told, and the event sent twice.
    "PermissionsStartOnly=yes",
    `ExecStopPost=${writeEndCommand(id, endFile(wanted))}`,
    `ExecStopPost=/bin/rm -f ${eventFile(wanted)}`,
  ];
  return [
    "systemd-run",
    `--unit=${unit}`,
    "--description=svc-upgrade: notification",
    "--collect",
    "--no-block",
    "--quiet",
    ...properties.flatMap((property) => ["-p", property]),
    "--",
    ...notify.command.map(literally),
  ];
}

/** Has PID 1 start the command, whose event lies ready. "busy": as many as may run at once do. */
export async function startNotification(run: RunCommand, wanted: NotifyUnit): Promise<"started" | "busy"> {
  for (const unit of units) {
    const result = await run({ argv: notifyArgv(unit, wanted), env: startEnvironment, timeoutMs: startTimeoutMs });
    const said = complaint(result);
    // A second start of what was started, and of which the answer was lost, would send it twice.
    const isHeard = said === undefined || (isCutOff(result) && (await notificationEnd(run, wanted)).kind !== "unknown");
    if (isHeard) return "started";
    if (!/already (?:loaded|exists)/.test(said)) throw notStarted(said);
  }
  return "busy";
}

function notStarted(said: string): Fault {
  if (said.startsWith("Failed to find executable")) {
    return new Fault("settings-invalid", {
      message: `notify.command cannot be started: ${quote(said, 300)}`,
      hint: "name a program that every user may execute, not below /root or /home; then try it: sudo svc-upgrade notify",
    });
  }
  return new Fault("os-failed", {
    message: `systemd did not start notify.command: ${quote(said, 300)}`,
    hint: "see whether systemd answers: `systemctl is-system-running`",
  });
}

/** Whatever became of it: what is neither written nor under way is not known. */
export async function notificationEnd(run: RunCommand, unit: Pick<NotifyUnit, "id" | "directory">): Promise<Ended> {
  const ended = readEnd(endFile(unit), unit.id);
  if (ended !== undefined) return judgeEnd(ended);
  if (await isUnderWay(run, unit.id)) return { kind: "running" };
  // It may have ended in between.
  const late = readEnd(endFile(unit), unit.id);
  return late === undefined ? { kind: "unknown" } : judgeEnd(late);
}

async function isUnderWay(run: RunCommand, id: string): Promise<boolean> {
  const argv = ["systemctl", "show", "--property=LoadState,ExecStopPost", "--", ...units] as const;
  const result = await askingAgain(run)({ argv: [argv[0], ...argv.slice(1)], env: toolEnvironment, timeoutMs: startTimeoutMs });
  // Where PID 1 gives no answer it may well be.
  return result.kind !== "exited" || result.status !== 0 || result.stdout.includes(id);
}

/** The lines that the command printed, by the field that its unit stamps on them. */
export function notifyLinesArgv(id: string, mostLines: number): readonly [string, ...string[]] {
  return ["journalctl", "--quiet", "--no-pager", "-o", "cat", "-n", String(mostLines), `${idField}=${id}`, "_TRANSPORT=stdout"];
}

/** Statuses that systemd itself gives where it cannot set the program up: systemd.exec(5), "Process Exit Codes". */
const ofSystemd = { first: 200, last: 245, exec: 203, credentials: 243 };

export function judgeEnd(end: TransactionEnd): Ended {
  switch (end.kind) {
    case "exited":
      return end.status === 0 ? { kind: "delivered" } : { kind: "failed", why: `notify.command ${tellStatus(end.status)}` };
    case "killed":
      return {
        kind: "failed",
        why: `notify.command was ended by ${end.signal}${end.how === undefined ? `; it has ${longestNotifySeconds} seconds` : ` ${end.how}`}`,
      };
    case "not-started":
      return { kind: "failed", why: `notify.command did not run: ${end.message}` };
  }
}

function tellStatus(status: number): string {
  if (status === ofSystemd.exec) return "did not run: it or its interpreter is missing, or not for every user to execute";
  if (status === ofSystemd.credentials) return "did not run: systemd could not hand it what notify.credentials names";
  if (status >= ofSystemd.first && status <= ofSystemd.last) return `did not run: systemd could not set it up (status ${status})`;
  return `ended with status ${status}`;
}
