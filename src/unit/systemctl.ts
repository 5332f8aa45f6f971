import { Fault } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import type { CommandResult, RunCommand } from "../host/command.ts";
import type { UnitName } from "../settings/settings.ts";
import { toolEnvironment } from "./environment.ts";
import { parseShown, shownProperties, type ShownUnit } from "./shown.ts";

/** What the updater asks of the service manager. What fails is thrown as a Fault, except where its outcome is the question. */
export type UnitControl = {
  readonly show: (unit: UnitName) => Promise<ShownUnit>;
  readonly daemonReload: () => Promise<void>;
  readonly resetFailed: (unit: UnitName) => Promise<void>;
  /** Undefined when it went well; else what systemctl said. */
  readonly change: (how: Job, unit: UnitName, timeoutMs?: number) => Promise<string | undefined>;
  /** The unit's last lines in the journal, oldest first. */
  readonly lastLines: (unit: UnitName) => Promise<readonly string[]>;
};

export type Job = "start" | "stop" | "restart" | "reload-or-restart";

/** A question to PID 1: it answers in milliseconds, or the host is in trouble. */
export const askTimeoutMs = 20_000;
/** Generators and hundreds of units on a slow disk. */
const reloadTimeoutMs = 90_000;
/** A job waits for the unit's own TimeoutStopSec and TimeoutStartSec, 90 seconds each by default. */
const jobTimeoutMs = 240_000;
/** Enough to see why a program ended, few enough for one message. */
const mostLines = 5;

export function unitControl(run: RunCommand): UnitControl {
  const call = (argv: readonly [string, ...string[]], timeoutMs: number): Promise<CommandResult> =>
    run({ argv, env: toolEnvironment, timeoutMs });
  return {
    show: async (unit) => {
      const properties = shownProperties.join(",");
      return parseShown(
        must(await call(["systemctl", "show", `--property=${properties}`, "--", unit], askTimeoutMs), `show ${unit}`),
      );
    },
    daemonReload: async () => {
      must(await call(["systemctl", "daemon-reload"], reloadTimeoutMs), "daemon-reload");
    },
    resetFailed: async (unit) => {
      must(await call(["systemctl", "reset-failed", "--", unit], askTimeoutMs), `reset-failed ${unit}`);
    },
    change: async (how, unit, timeoutMs = jobTimeoutMs) => complaint(await call(["systemctl", how, "--", unit], timeoutMs)),
    lastLines: async (unit) => {
      const result = await call(
        ["journalctl", "--quiet", "--no-pager", "-o", "cat", "-n", String(mostLines), "-u", unit],
        askTimeoutMs,
      );
      // Only colour for a message: a journal that cannot be read must not hide the fault it would explain.
      return result.kind === "exited" ? result.stdout.split("\n").filter((line) => line.trim() !== "") : [];
    },
  };
}

/** What it printed; that it could not be asked is a fault. */
export function must(result: CommandResult, what: string): string {
  const said = complaint(result);
  if (said === undefined && result.kind === "exited") return result.stdout;
  if (result.kind === "not-started" && result.reason === "missing") {
    throw new Fault("host-unsupported", {
      message: "systemctl is not installed",
      hint: "svc-upgrade needs systemd 247 or later",
    });
  }
  throw new Fault("os-failed", {
    message: `systemctl ${what} failed: ${said}`,
    hint: "see whether systemd answers: `systemctl is-system-running`",
  });
}

export function complaint(result: CommandResult): string | undefined {
  switch (result.kind) {
    case "exited":
      return result.status === 0 ? undefined : quote(result.stderr, 300) || `it ended with status ${result.status}`;
    case "killed":
      return `it was ended by ${result.signal}`;
    case "timed-out":
      return `it has not come to an end after ${Math.round(result.afterMs / 1000)} seconds`;
    case "not-started":
      return result.message;
  }
}
