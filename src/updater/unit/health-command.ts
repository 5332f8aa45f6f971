import { quote } from "../../rules/text/quote.ts";
import type { CommandResult, RunCommand } from "../../machine/processes/command.ts";
import { mask } from "../../machine/logging/mask-secrets.ts";
import { askAgain, isAway, isCutOff } from "../../machine/processes/ask-systemd-again.ts";
import { toolEnvironment } from "./environment.ts";
import { literally, strangersSandbox } from "./sandbox.ts";

/** "not-run": the command could not even be started, so it says nothing about the agent. */
export type Checked = { readonly kind: "well" } | { readonly kind: "ill" | "not-run"; readonly why: string };

/** A check asks the agent one thing, so one that takes longer hangs. */
export const longestCheckSeconds = 60;
/** The time between SIGTERM and SIGKILL. */
const obeySeconds = 5;
/** Longer than systemd's own limit: needed only if systemd does not answer. */
const timeoutMs: number = (longestCheckSeconds + obeySeconds + 25) * 1000;
/** The longest line of the check that a message quotes. */
const longestLine = 160;

/** Runs the administrator's command as a user that exists only for this call, without rights and with no place to write. */
export async function askHealthCommand(run: RunCommand, command: readonly string[]): Promise<Checked> {
  const ask = (): Promise<CommandResult> => run({ argv: healthCommandArgv(command), env: toolEnvironment, timeoutMs });
  return judgeCheck(await askAgain(ask, { isUnheard }));
}

/** Whether the result was lost. The text alone does not show it, because a command may print something about lost connections itself. */
function isUnheard(result: CommandResult): boolean {
  return isLostFromSight(result) || (isCutOff(result) && !ranAtAll.test(saidBy(result)));
}

function saidBy(result: CommandResult): string {
  return result.kind === "exited" ? result.stderr : "";
}

/** Whether systemd-run lost the command because PID 1 executed itself again. It then ends with any status, with systemd 247 even with success. */
function isLostFromSight(result: CommandResult): boolean {
  return saidBy(result)
    .split("\n")
    .some((line) => line.startsWith("Failed to query unit state: ") && isAway(line));
}

const sandbox: readonly string[] = [
  ...strangersSandbox,
  "MemoryMax=512M",
  "TasksMax=128",
  `RuntimeMaxSec=${longestCheckSeconds}`,
  `TimeoutStopSec=${obeySeconds}`,
];

/** Does not use `--quiet`, because systemd-run's last lines show whether a command failed or never ran. */
export function healthCommandArgv(command: readonly string[]): readonly [string, ...string[]] {
  return [
    "systemd-run",
    "--description=svc-upgrade: health check",
    "--collect",
    "--wait",
    "--pipe",
    ...sandbox.flatMap((property) => ["-p", property]),
    "--",
    ...command.map(literally),
  ];
}

/** The statuses that systemd gives when it cannot set the program up: systemd.exec(5), "Process Exit Codes". */
const ofSystemd = { first: 200, last: 245 };
/** The status for a program, or its interpreter, that is missing or not executable. */
const notExecuted = 203;
/** A shell's statuses for a program that is missing or not executable. */
const ofShells: readonly number[] = [126, 127];

export function judgeCheck(result: CommandResult): Checked {
  switch (result.kind) {
    case "not-started":
      return { kind: "not-run", why: result.message };
    case "timed-out":
      return { kind: "not-run", why: `systemd did not end it within ${result.afterMs / 1000} seconds` };
    case "killed":
      return { kind: "not-run", why: `systemd-run was ended by ${result.signal}` };
    case "exited": {
      const { status, stdout, stderr } = result;
      if (isLostFromSight(result)) return { kind: "not-run", why: "systemd lost sight of it" };
      if (!ranAtAll.test(stderr)) return { kind: "not-run", why: said(stderr) ?? `systemd-run ended with status ${status}` };
      const { how, own } = apart(stderr);
      const words = said(own) ?? said(stdout);
      return judgeEnd(how, status, words === undefined ? "" : `: ${words}`);
    }
  }
}

/** `how` is the service's Result=; undefined if the command printed so much that its end was dropped. */
function judgeEnd(how: string | undefined, status: number, words: string): Checked {
  switch (how) {
    case "success":
      return { kind: "well" };
    case "timeout":
      return { kind: "ill", why: `it has not come to an end after ${longestCheckSeconds} seconds${words}` };
    case "resources":
      return { kind: "not-run", why: `systemd had no means to start it${words}` };
    case "exit-code":
    case undefined:
      return judgeStatus(status, words);
    default:
      return { kind: "ill", why: `it was ended: ${quote(how)}${words}` };
  }
}

function judgeStatus(status: number, words: string): Checked {
  if (status === 0) return { kind: "well" };
  if (status === notExecuted)
    return { kind: "not-run", why: "it or its interpreter is missing, or not for every user to execute" };
  if (status >= ofSystemd.first && status <= ofSystemd.last)
    return { kind: "not-run", why: `systemd could not set it up (status ${status})` };
  if (ofShells.includes(status)) return { kind: "not-run", why: `a program that it calls is missing (status ${status})${words}` };
  return { kind: "ill", why: `it ended with status ${status}${words}` };
}

const ranAtAll = /^Running as unit: /m;

/** Separates the command's own output from systemd-run's report of its end. */
function apart(stderr: string): { readonly how: string | undefined; readonly own: string } {
  const lines = stderr.split("\n");
  const end = lines.findLastIndex((line) => /^\s*Finished with result: /.test(line));
  const how = /result: (\S+)/.exec(lines[end] ?? "")?.[1];
  const own = (end === -1 ? lines : lines.slice(0, end)).filter((line) => !ranAtAll.test(line));
  return { how, own: own.join("\n") };
}

function said(output: string): string | undefined {
  const line = output.split("\n").findLast((candidate) => candidate.trim() !== "");
  return line === undefined ? undefined : quote(mask(line), longestLine);
}
