import type { Log } from "../../machine/logging/log.ts";
import type { RunCommand } from "../../machine/processes/command.ts";

/** Sends assignments to systemd. */
export type Notify = (...assignments: readonly string[]) => Promise<void>;

export type Notifying = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly runCommand: RunCommand;
  readonly log: Log;
};

/** A service manager that does not read must not block us. */
const notifyMs = 5000;

/**
 * Runs systemd-notify, because Node cannot send datagrams on unix sockets; the unit allows that with NotifyAccess=all. systemd-notify waits until
 * PID 1 has read the message, so that none is lost when it ends.
 */
export function notifierFor({ environment, runCommand, log }: Notifying): Notify {
  const socket = environment["NOTIFY_SOCKET"] ?? "";
  if (socket === "") return async () => undefined;
  return async (...assignments) => {
    const env = { NOTIFY_SOCKET: socket, PATH: environment["PATH"] ?? "/usr/bin:/bin" };
    const result = await runCommand({ argv: ["systemd-notify", ...assignments], env, timeoutMs: notifyMs });
    if (result.kind === "exited" && result.status === 0) return;
    log("warning", "systemd was not told", {
      what: assignments.join(" "),
      why: result.kind === "not-started" ? result.message : result.kind,
    });
  };
}

/** How often to report to systemd's watchdog: twice as often as it asks for. Undefined without a watchdog. */
export function watchdogEveryMs(environment: Notifying["environment"], processId: number): number | undefined {
  const microseconds = Number(environment["WATCHDOG_USEC"] ?? "");
  const isForUs = (environment["WATCHDOG_PID"] ?? String(processId)) === String(processId);
  return isForUs && microseconds >= 1000 ? Math.floor(microseconds / 2000) : undefined;
}

/** RELOADING=1 with the time that Type=notify-reload asks for, in microseconds of the monotonic clock. */
export function reloading(monotonicMs: number): readonly string[] {
  return ["RELOADING=1", `MONOTONIC_USEC=${Math.round(monotonicMs * 1000)}`];
}
