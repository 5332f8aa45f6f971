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

/** Sending a message takes seconds. After this time systemd ends the command, and a later pass sends the message again. */
export const longestNotifySeconds = 60;
const obeySeconds = 5;
/** How long PID 1 may take to answer one message. */
const startTimeoutMs = 20_000;

/** Where systemd-run looks for a program without a path: in the host's directories first, then in the administrator's. */
export const notifyPath: readonly string[] = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin", "/usr/local/bin"];
const startEnvironment = { ...toolEnvironment, PATH: notifyPath.join(":") };

/** Fixed unit names, so that no more than four commands run at once. */
const units: readonly string[] = [1, 2, 3, 4].map((number) => `svc-upgrade-notify-${number}.service`);

/** Root's directory in memory: a reboot removes its files together with the commands. */
export const notifyDirectory = "/run/svc-upgrade";

/** The journal field by which we find a command's lines. */
const idField = "SVC_UPGRADE_NOTIFICATION";

/** The health check's sandbox, with two differences: the command may read the event and root's files, and may write less, also to the journal. */
const sandbox: readonly string[] = [
  ...strangersSandbox,
  "InaccessiblePaths=-/dev/shm -/dev/mqueue -/dev/hugepages",
  // Limits what the command writes to the journal and to its own /tmp.
  "LogRateLimitIntervalSec=60s",
  "LogRateLimitBurst=20",
  "LimitFSIZE=1M",
  "MemoryMax=128M",
  "TasksMax=32",
  `RuntimeMaxSec=${longestNotifySeconds}`,
  `TimeoutStopSec=${obeySeconds}`,
  // Without this, the sandbox's LogLevelMax= would drop the command's own lines too.
  "SyslogLevel=notice",
  "StandardOutput=journal",
  "StandardError=journal",
  "SyslogIdentifier=svc-upgrade-notify",
];

export type NotifyUnit = {
  readonly id: string;
  /** A directory of root. It holds the event while the command reads it, and then how the command ended. */
  readonly directory: string;
  readonly notify: NotifySettings;
};

export function eventFile({ id, directory }: Pick<NotifyUnit, "id" | "directory">): string {
  return `${directory}/notify-${id}.json`;
}

export function endFile({ id, directory }: Pick<NotifyUnit, "id" | "directory">): string {
  return `${directory}/notify-${id}.end`;
}

/** Contains no part of the event, because every user of the host can read a command line. */
export function notifyArgv(unit: string, wanted: NotifyUnit): readonly [string, ...string[]] {
  const { id, notify } = wanted;
  const properties = [
    ...sandbox,
    `StandardInput=file:${eventFile(wanted)}`,
    `LogExtraFields=${idField}=${id}`,
    ...notify.credentials.map(({ name, file }) => `LoadCredential=${name}:${file}`),
    // Runs as root outside the sandbox, whose user could not write there. Does not use `+`: after a reload, which packages trigger, systemd 252 no
    // longer recognises it. Then the end would never be written, and the event would be sent twice.
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

/** Has PID 1 start the command, whose event file is ready. "busy": no more commands may run at once. */
export async function startNotification(run: RunCommand, wanted: NotifyUnit): Promise<"started" | "busy"> {
  for (const unit of units) {
    const result = await run({ argv: notifyArgv(unit, wanted), env: startEnvironment, timeoutMs: startTimeoutMs });
    const said = complaint(result);
    // The command may have started although the answer was lost. A second start would send the event twice.
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

/** How the command ended. "unknown": the command does not run, and its end was not recorded. */
export async function notificationEnd(run: RunCommand, unit: Pick<NotifyUnit, "id" | "directory">): Promise<Ended> {
  const ended = readEnd(endFile(unit), unit.id);
  if (ended !== undefined) return judgeEnd(ended);
  if (await isUnderWay(run, unit.id)) return { kind: "running" };
  // The command may have ended after the first look.
  const late = readEnd(endFile(unit), unit.id);
  return late === undefined ? { kind: "unknown" } : judgeEnd(late);
}

async function isUnderWay(run: RunCommand, id: string): Promise<boolean> {
  const argv = ["systemctl", "show", "--property=LoadState,ExecStopPost", "--", ...units] as const;
  const result = await askingAgain(run)({ argv: [argv[0], ...argv.slice(1)], env: toolEnvironment, timeoutMs: startTimeoutMs });
  // If PID 1 does not answer, the command counts as running.
  return result.kind !== "exited" || result.status !== 0 || result.stdout.includes(id);
}

/** Asks for the command's lines by the journal field that its unit sets. */
export function notifyLinesArgv(id: string, mostLines: number): readonly [string, ...string[]] {
  return ["journalctl", "--quiet", "--no-pager", "-o", "cat", "-n", String(mostLines), `${idField}=${id}`, "_TRANSPORT=stdout"];
}

/** The statuses that systemd gives when it cannot set the program up: systemd.exec(5), "Process Exit Codes". */
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
